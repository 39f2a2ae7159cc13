import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfigText, readConfig } from '../../build/config/config.ts';
import { planSource } from '../../build/init/new-files.ts';
import { CMS_ADAPTER_NAMES, FEED_ADAPTER_NAMES } from '../../build/registry.ts';
import { runDeals } from '../harness.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deals-init-'));
  process.chdir(folder);
});

afterEach(() => {
  process.chdir(tmpdir());
  rmSync(folder, { recursive: true });
});

async function succeed(...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runDeals(args);
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

async function countBuilt(): Promise<{ readonly products: number; readonly deals: number }> {
  return (JSON.parse(await succeed('build', '--json')) as { readonly counts: { products: number; deals: number } })
    .counts;
}

describe('deals init', () => {
  it('gives every source its usual name, or the one that it is told', async () => {
    await succeed('init', '--cms', 'strapi', '--cms', 'old=wordpress', '--feed', 'csv', '--feed', 'shop=csv');
    const { cms, feeds } = await readConfig('catalogue.json');
    expect([...cms, ...feeds].map(({ name }) => name)).toEqual(['site', 'old', 'sheet', 'shop']);
    // No example of deals without the phones that they are for.
    expect(existsSync('feeds/house/example.csv')).toBe(false);
  });
});

/** Exports of one phone, one network and one retailer, and feeds with a deal for that phone. */
const NEW = join(import.meta.dirname, 'fixture/new');
const SAMPLE = join(import.meta.dirname, '../../data/sample');

/** Puts files where a source finds them, in the place of examples. */
function put(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, filter: (path) => !path.includes('/images') });
}

function putExport(adapter: string): void {
  if (adapter !== 'strapi') return put(join(NEW, adapter), 'cms/site');
  mkdirSync('cms/site', { recursive: true });
  execFileSync('tar', ['-cf', 'cms/site/export.tar', '-C', join(NEW, 'strapi'), '.']);
}

describe('a configuration of deals init', () => {
  it('without flags is of our own formats, says so, and builds at once from an example of each', async () => {
    const stdout = await succeed('init');
    const { cms, feeds } = await readConfig('catalogue.json');
    expect([...cms, ...feeds].map(({ name, adapter }) => [name, adapter])).toEqual([
      ['site', 'catalogue'],
      ['house', 'deals'],
    ]);
    expect(stdout).toContain(
      'No --cms was given, so it reads our own JSON; others: strapi, contentful, wordpress, csv.',
    );
    expect(stdout).toContain('No --feed was given, so it reads our own CSV; others: awin, google-merchant, csv.');
    expect(stdout).toContain('  cms/site/example.json\n  feeds/house/example.csv\n');
    expect(await countBuilt()).toEqual({ products: 1, deals: 2 });
    for (const source of ['site', 'house']) {
      expect(await succeed('check', source)).not.toMatch(/quarantined: [1-9]|unknown-/);
    }
    // Each file names its JSON Schema by a path beside it.
    for (const [file, id] of [
      ['catalogue.json', 'configuration'],
      ['cms/site/example.json', 'catalogue'],
    ] as const) {
      const { $schema } = parseConfigText(file, readFileSync(file, 'utf8')) as { readonly $schema: string };
      const schema = JSON.parse(readFileSync(join(dirname(file), $schema), 'utf8')) as object;
      expect(schema).toMatchObject({ $id: `${id}.schema.json` });
    }
  });

  it('says of every example that it is one, until it is changed, and writes none over a file', async () => {
    const listExamples = async (): Promise<readonly string[]> =>
      [...(await succeed('build')).matchAll(/ (\S+): a file is an example of `deals init`/g)].map(
        ([, file]) => file ?? '',
      );
    await succeed('init', '--cms', 'shop=catalogue');
    expect(await listExamples()).toEqual(['cms/shop/example.json', 'feeds/house/example.csv']);
    const changed = readFileSync('feeds/house/example.csv', 'utf8').replace('24.00', '25.00');
    writeFileSync('feeds/house/example.csv', changed);
    expect(await listExamples()).toEqual(['cms/shop/example.json']);
    rmSync('catalogue.json');
    await succeed('init', '--cms', 'shop=catalogue');
    expect(readFileSync('feeds/house/example.csv', 'utf8')).toBe(changed);
  });

  it.each(CMS_ADAPTER_NAMES)('for %s is ready when an export is there', async (adapter) => {
    await succeed('init', '--cms', adapter);
    putExport(adapter);
    put(join(NEW, 'feeds/deals'), 'feeds/house');
    expect(JSON.parse(await succeed('check', 'site', '--json'))).toMatchObject({
      source: { state: 'fresh', read: 3, kept: 3 },
    });
    expect(await countBuilt()).toEqual({ products: 1, deals: 1 });
  });

  it.each(FEED_ADAPTER_NAMES)('for %s is ready when a feed is there', async (adapter) => {
    await succeed('init', '--feed', adapter);
    const { name } = planSource('feeds', adapter);
    // Of Awin the sample's, for the phones of the sample.
    put(adapter === 'awin' ? join(SAMPLE, 'cms') : join(NEW, 'catalogue'), 'cms/site');
    put(adapter === 'awin' ? join(SAMPLE, 'feeds/awin') : join(NEW, 'feeds', adapter), `feeds/${name}`);
    await succeed('check', name);
    expect((await countBuilt()).deals).toBeGreaterThanOrEqual(1);
  });
});
