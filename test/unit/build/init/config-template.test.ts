import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cmsSourceSchema, feedSchema } from '../../../../build/registry.ts';
import { configSchema, readConfig } from '../../../../build/config/config.ts';
import { gateSettingsSchema } from '../../../../build/config/gate-settings.ts';
import { meaningOf, planSources, writeConfigTemplate } from '../../../../build/init/config-template.ts';
import { CMS_TEMPLATES, FEED_TEMPLATES } from '../../../../build/init/source-templates.ts';

const SOURCES = planSources({
  cms: (Object.keys(CMS_TEMPLATES) as (keyof typeof CMS_TEMPLATES)[]).map((adapter) => ({ adapter })),
  feeds: (Object.keys(FEED_TEMPLATES) as (keyof typeof FEED_TEMPLATES)[]).map((adapter) => ({ adapter })),
});
const TEXT = writeConfigTemplate(SOURCES);

async function write(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'deals-template-')), 'catalogue.json');
  await writeFile(path, text);
  return path;
}

/** The text with every setting set that stands in a comment: of a comment in a comment the outer one. */
function setAll(text: string): string {
  return text.replaceAll(/^( *)\/\/ (?= *["{}[\]]| *\/\/)/gm, '$1');
}

type Settings = readonly (readonly [string, z.ZodType])[];

/** The settings of a source. */
function settingsOf({ shape }: z.ZodObject): Settings {
  return Object.entries(shape);
}

/** The settings of the whole, with those of its groups. */
function settingsOfWhole(): Settings {
  return settingsOf(configSchema).flatMap(([name, setting]) => {
    const group =
      setting instanceof z.ZodPrefault || setting instanceof z.ZodDefault ? (setting.unwrap() as z.ZodType) : setting;
    return [[name, setting] as const, ...(group instanceof z.ZodObject ? settingsOf(group) : [])];
  });
}

describe('the configuration for every adapter', () => {
  it('is one that a build takes', async () => {
    const config = await readConfig(await write(TEXT));
    expect([...config.cms, ...config.feeds].map(({ adapter }) => adapter)).toEqual([
      ...Object.keys(CMS_TEMPLATES),
      ...Object.keys(FEED_TEMPLATES),
    ]);
  });

  it('is still one when everything in it is set', async () => {
    const all = setAll(TEXT);
    const config = await readConfig(await write(all));
    expect(config.exclude).toHaveLength(1);
    expect(config.images.baseUrl).toBeDefined();
    expect(all).not.toMatch(/^ *\/\/ *"/m);
  });

  it('sets, where it shows a default, what holds without it', async () => {
    const bare = await readConfig(await write(TEXT));
    const all = await readConfig(await write(setAll(TEXT)));
    expect(all.gates).toEqual(bare.gates);
    expect(all.money).toEqual(bare.money);
    expect(all.freshness).toEqual(bare.freshness);
    expect(all.currency).toEqual(bare.currency);
  });

  it.each([...cmsSourceSchema.options, ...feedSchema.options].map((schema) => [schema.shape.adapter.value, schema]))(
    'names every setting of %s, with what it is for',
    (adapter, schema) => {
      const text = writeConfigTemplate(SOURCES.filter((source) => source.adapter === adapter));
      const settings = settingsOf(schema as z.ZodObject).filter(([name]) => name !== 'adapter');
      expect(settings.filter(([name]) => !text.includes(`"${name}": `))).toEqual([]);
      expect(settings.filter(([, setting]) => meaningOf(setting) === '')).toEqual([]);
    },
  );

  it('names every other setting, with what it is for', () => {
    const settings = settingsOfWhole();
    expect(settings.length).toBeGreaterThan(Object.keys(gateSettingsSchema.shape).length + 10);
    expect(settings.filter(([name]) => !TEXT.includes(`"${name}": `))).toEqual([]);
    expect(settings.filter(([, setting]) => meaningOf(setting) === '')).toEqual([]);
  });
});
