import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../../build/config/config.ts';
import { planSource, TEMPLATES, writeConfigTemplate } from '../../../../build/init/config-template.ts';

const TEXT = writeConfigTemplate([
  ...Object.keys(TEMPLATES.cms).map((adapter) => planSource('cms', { adapter, name: `cms-${adapter}` })),
  ...Object.keys(TEMPLATES.feed).map((adapter) => planSource('feed', { adapter })),
]);

async function write(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'deals-template-')), 'catalogue.json');
  await writeFile(path, text);
  return path;
}

describe('the configuration for every adapter', () => {
  it('is one that a build takes', async () => {
    const config = await readConfig(await write(TEXT));
    expect([...config.cms, ...config.feeds].map(({ adapter }) => adapter)).toEqual([
      ...Object.keys(TEMPLATES.cms),
      ...Object.keys(TEMPLATES.feed),
    ]);
  });

  it('says of every source what goes there, and what is to be made true', () => {
    const templates: readonly { readonly what: string; readonly guesses?: string }[] = [
      ...Object.values(TEMPLATES.cms),
      ...Object.values(TEMPLATES.feed),
    ];
    for (const { what, guesses } of templates) {
      expect(TEXT).toContain(`// ${what}\n`);
      expect(TEXT).toContain(guesses === undefined ? what : `// to be made true: ${guesses}\n`);
    }
  });
});
