import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBuild } from '../../../../build/run.ts';
import { drawPicture } from '../image/draw-picture.ts';
import { tarOf } from '../source/tar-archive.ts';

const TYPE = 'api::product.product';

describe('a build of an archive', () => {
  it('renders the pictures in it, and leaves none of them behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deals-archive-'));
    const phone = { documentId: 'd', sku: '101', title: 'Nokia X', slug: 'nokia-x', condition: 'new' };
    const lines = [
      { type: TYPE, id: 1, data: phone },
      { type: 'plugin::upload.file', id: 9, data: { hash: 'front', ext: '.png', url: '/uploads/front.png' } },
    ];
    const link = {
      kind: 'relation.morph',
      left: { type: 'plugin::upload.file', ref: 9, field: 'related' },
      right: { type: TYPE, ref: 1, field: 'image', pos: 1 },
    };
    const archive = await tarOf({
      'entities/entities_00001.jsonl': lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      'assets/uploads/front.png': await drawPicture({ width: 300, height: 600 }),
      'links/links_00001.jsonl': JSON.stringify(link),
    });
    await writeFile(join(folder, 'export.tar'), archive);
    const cms = [
      { name: 'site', adapter: 'strapi', files: ['*.tar'], mapping: { products: { fields: { id: 'sku' } } } },
    ];
    await writeFile(join(folder, 'catalogue.json'), JSON.stringify({ store: 'store', cms }));

    const before = await originalFolders();
    const now = new Date('2026-11-20T02:30:00Z');
    const result = await runBuild({ configPath: join(folder, 'catalogue.json'), now, dryRun: false, accept: [] });
    expect(result.outcome).toBe('published');
    const products = await readFile(join(folder, 'store', result.snapshot ?? '', 'products.ndjson'), 'utf8');
    expect(products).toMatch(/"largeFrontImageWebp":"\/images\/[0-9a-f]{32}\/large\.webp"/);
    expect(result.report.notices.map(({ code }) => code)).not.toContain('missing-picture');
    expect(await originalFolders()).toEqual(before);
  });
});

async function originalFolders(): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('deals-originals-')).toSorted();
}
