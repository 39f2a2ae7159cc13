import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfigText, readConfig } from '../../build/config/config.ts';
import { TEMPLATES } from '../../build/init/config-template.ts';
import { runDeals } from '../harness.ts';
import { CMS_FILES, FEED_FILES, SAMPLE_CMS_FILES, writeFiles } from './new-sources.ts';

/** The keys of a table whose keys are known. */
const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] =>
  Object.keys(table) as Name[];

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
  it('says what to put where, what to make true, and what to run next', async () => {
    const stdout = await succeed('init', '--cms', 'strapi', '--feed', 'awin', '--config', 'shop/deals.json');
    expect(stdout).toMatch(/^shop\/deals\.json: written/);
    for (const line of [
      `shop/cms/site/\n    ${TEMPLATES.cms.strapi.what}`,
      `shop/feeds/awin/\n    ${TEMPLATES.feed.awin.what}`,
      `site\n    ${TEMPLATES.cms.strapi.guesses}`,
      'deals check site --config shop/deals.json',
      'deals dev --config shop/deals.json',
    ])
      expect(stdout).toContain(`  ${line}\n`);
    expect(existsSync('shop/cms/site') && existsSync('shop/feeds/awin')).toBe(true);
  });

  it('gives every source its usual name, or the one that it is told', async () => {
    await succeed('init', '--cms', 'strapi', '--cms', 'old=wordpress', '--feed', 'csv', '--feed', 'shop=csv');
    const { cms, feeds } = await readConfig('catalogue.json');
    expect([...cms, ...feeds].map(({ name }) => name)).toEqual(['site', 'old', 'sheet', 'shop']);
    // No example of deals without the phones that they are for.
    expect(existsSync('feeds/house/example.csv')).toBe(false);
  });

  it('leaves a configuration that is there as it is', async () => {
    writeFileSync('catalogue.json', '{}');
    const { exitCode, stdout, stderr } = await runDeals(['init']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe(
      'deals: catalogue.json: is there already, and stays as it is; name another with --config, or remove it first\n',
    );
    expect(readFileSync('catalogue.json', 'utf8')).toBe('{}');
    expect(existsSync('cms')).toBe(false);
  });
});

/** An editor's own files take the place of the examples. */
function removeExamples(): void {
  rmSync('cms/site', { recursive: true, force: true });
  rmSync('feeds/house/example.csv', { force: true });
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

  it.each(namesOf(TEMPLATES.cms))('for %s is ready when an export is there', async (adapter) => {
    await succeed('init', '--cms', adapter);
    removeExamples();
    writeFiles('cms/site', await CMS_FILES[adapter]());
    writeFiles('feeds/house', FEED_FILES.deals);
    expect(JSON.parse(await succeed('check', 'site', '--json'))).toMatchObject({
      source: { state: 'fresh', read: 3, kept: 3 },
    });
    expect(await countBuilt()).toEqual({ products: 1, deals: 1 });
  });

  it.each(namesOf(TEMPLATES.feed))('for %s is ready when a feed is there', async (adapter) => {
    await succeed('init', '--feed', adapter);
    removeExamples();
    const { name } = TEMPLATES.feed[adapter];
    writeFiles('cms/site', adapter === 'awin' ? SAMPLE_CMS_FILES : await CMS_FILES.catalogue());
    writeFiles(`feeds/${name}`, FEED_FILES[adapter]);
    await succeed('check', name);
    expect((await countBuilt()).deals).toBeGreaterThanOrEqual(1);
  });
});
