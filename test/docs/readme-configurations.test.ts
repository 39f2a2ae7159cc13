import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../build/config/config.ts';
import { readReadme } from './readme-tables.ts';

type Block = Readonly<Record<string, unknown>>;

const CMS = [{ name: 'site', adapter: 'catalogue', files: ['cms/*.json'] }];

/** The pages that show configurations. */
const PAGES = ['data/spec/configuration.md', 'data/spec/sources.md'];

/** The adapters for feeds with a configuration in `sources.md`. */
const FEED_ADAPTERS = ['awin', 'google-merchant', 'csv'];

/** The adapters for exports with one. */
const CMS_ADAPTERS = ['strapi', 'contentful', 'wordpress'];

const BLOCKS = PAGES.flatMap((page) =>
  [...readReadme(page).matchAll(/```json\n([^]*?)```/g)].map(([, json = '']) => JSON.parse(json) as Block),
);

async function read(config: Block): Promise<void> {
  const path = join(await mkdtemp(join(tmpdir(), 'deals-readme-')), 'catalogue.json');
  await writeFile(path, JSON.stringify(config));
  await readConfig(path);
}

describe('the configurations in data/spec', () => {
  it('include a whole one', async () => {
    const whole = BLOCKS.filter((block) => 'cms' in block);
    expect(whole).toHaveLength(1);
    for (const block of whole) await expect(read(block)).resolves.toBeUndefined();
  });

  it.each(FEED_ADAPTERS)('include one for %s', async (adapter) => {
    const feeds = BLOCKS.filter((block) => block.adapter === adapter);
    expect(feeds).toHaveLength(1);
    for (const feed of feeds) await expect(read({ cms: CMS, feeds: [feed] })).resolves.toBeUndefined();
  });

  it.each(CMS_ADAPTERS)('include one for %s', async (adapter) => {
    const sources = BLOCKS.filter((block) => block.adapter === adapter);
    expect(sources).toHaveLength(1);
    for (const source of sources) await expect(read({ cms: [source] })).resolves.toBeUndefined();
  });
});
