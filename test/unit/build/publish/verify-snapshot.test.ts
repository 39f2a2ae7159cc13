import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeSnapshot } from '../../../../build/encode/snapshot.ts';
import { describeRendition } from '../../../../build/image/rendition-store.ts';
import { publishSnapshot } from '../../../../build/publish/publish.ts';
import { checkSnapshotFiles, verifySnapshot } from '../../../../build/publish/verify.ts';
import { createDurably } from '../../../../data/store/durable-file.ts';
import { writeLines } from '../../../../data/store/lines.ts';
import { SNAPSHOT_FILES, type DealsLine, type Manifest, type SnapshotFile } from '../../../../data/snapshot/format.ts';
import { snapshotErrorMessage } from '../../../../data/snapshot/snapshot-error.ts';
import { createCatalogue, createNoPictures } from '../encode/example-catalogue.ts';
import { createContent, listLines } from './snapshot-content.ts';
import { createTemporaryFolder } from './temporary-store.ts';

const FACTS = { now: new Date('2026-11-20T02:30:00Z'), sources: [], gates: [] };

function publish(): { readonly store: string; readonly id: string } {
  const store = createTemporaryFolder();
  return { store, id: publishSnapshot(store, createContent(), FACTS).id };
}

describe('verifySnapshot finds', () => {
  it.each(SNAPSHOT_FILES)('one bit flipped in %s', (file) => {
    const store = createTemporaryFolder();
    const content = { ...createContent(), 'pictures.ndjson': () => [], 'quarantine.ndjson': () => [NOTICE] };
    const { id } = publishSnapshot(store, content, FACTS);
    const path = join(store, id, file);
    const bytes = readFileSync(path);
    if (bytes.length === 0) {
      writeFileSync(path, ' ');
    } else {
      const middle = Math.trunc(bytes.length / 2);
      bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
      writeFileSync(path, bytes);
    }
    expect(verifySnapshot(store, id)).toContainEqual(expect.objectContaining({ code: 'wrong-hash', file }));
  });

  it.each(SNAPSHOT_FILES)('%s removed', (file) => {
    const { store, id } = publish();
    rmSync(join(store, id, file));
    expect(verifySnapshot(store, id)).toContainEqual(expect.objectContaining({ code: 'unreadable-file', file }));
  });

  it('a file cut short', () => {
    const { store, id } = publish();
    truncateSync(join(store, id, 'deals.ndjson'), 100);
    const codes = verifySnapshot(store, id).map(({ code }) => code);
    expect(codes).toContain('wrong-hash');
    expect(codes).toContain('malformed-file');
  });

  it('another id, count or content hash in the manifest', () => {
    const { store, id } = publish();
    const path = join(store, id, 'manifest.json');
    // As an older program writes it: without a hash of its own, which would have found it all.
    const { manifestHash: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
    const changed = {
      ...manifest,
      id: '20261120T0230Z-00000000',
      contentHash: 'a'.repeat(64),
      counts: { ...manifest.counts, deals: 4 },
    };
    writeFileSync(path, JSON.stringify(changed));
    expect(verifySnapshot(store, id).map(snapshotErrorMessage)).toEqual([
      `manifest.json: expected id ${id}, got "20261120T0230Z-00000000"`,
      `manifest.json: expected contentHash ${manifest.contentHash}, got "${'a'.repeat(64)}"`,
      'manifest.json: expected counts.deals 3, got 4',
    ]);
  });

  it('anything else in the manifest that is not as it was published', () => {
    const { store, id } = publish();
    const path = join(store, id, 'manifest.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"sequence": 1', '"sequence": 3'));
    expect(verifySnapshot(store, id)).toEqual([expect.objectContaining({ code: 'wrong-hash', file: path })]);
  });

  it('another number of bytes in the manifest than the file has', () => {
    const { store, id } = publish();
    const path = join(store, id, 'manifest.json');
    const { manifestHash: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
    const { bytes, sha256 } = manifest.files['deals.ndjson'];
    const files = { ...manifest.files, 'deals.ndjson': { bytes: bytes + 1, sha256 } };
    writeFileSync(path, JSON.stringify({ ...manifest, files }));
    expect(verifySnapshot(store, id).map(snapshotErrorMessage)).toEqual([
      `deals.ndjson: expected ${bytes + 1} bytes, got ${bytes}`,
    ]);
  });

  it.each([
    ['unknown-snapshot', (path: string) => rmSync(path)],
    ['malformed-file', (path: string) => truncateSync(path, 50)],
    [
      'unknown-format',
      (path: string) =>
        writeFileSync(path, readFileSync(path, 'utf8').replace('"formatVersion": 1', '"formatVersion": 2')),
    ],
  ])('a manifest that is %s', (code, damage) => {
    const { store, id } = publish();
    damage(join(store, id, 'manifest.json'));
    expect(verifySnapshot(store, id)).toEqual([expect.objectContaining({ code })]);
  });

  it('a picture that is gone, and one with other bytes', () => {
    const store = createTemporaryFolder();
    const hash = '0123456789abcdef';
    mkdirSync(join(store, 'images', hash), { recursive: true });
    const pictures = ['large.jpg', 'large.webp'].map((name) => {
      const file = { name, content: Buffer.from(name) };
      createDurably(join(store, 'images', hash, name), () => {});
      writeFileSync(join(store, 'images', hash, name), file.content);
      const { bytes, sha256 } = describeRendition(file);
      return { path: `/images/${hash}/${name}`, bytes, sha256 };
    });
    const catalogue = createCatalogue();
    const [jpg, webp] = pictures;
    const shown = { largeFrontImageJpg: jpg?.path ?? '', largeFrontImageWebp: webp?.path ?? '' };
    const content = encodeSnapshot({
      catalogue,
      pictures: { ...createNoPictures(catalogue), products: [shown, {}, {}], pictures },
      currency: { code: 'GBP', label: '£' },
      report: { sources: [], notices: [], unmatchedNames: [], summary: { currency: 'GBP', cms: [], feeds: [] } },
      leftOut: [],
      noted: [],
    });
    const { id } = publishSnapshot(store, content, FACTS);
    expect(verifySnapshot(store, id)).toEqual([]);
    rmSync(join(store, 'images', hash, 'large.jpg'));
    writeFileSync(join(store, 'images', hash, 'large.webp'), 'other');
    expect(verifySnapshot(store, id)).toEqual([
      expect.objectContaining({ code: 'unreadable-file', file: `/images/${hash}/large.jpg` }),
      expect.objectContaining({ code: 'wrong-hash', file: `/images/${hash}/large.webp` }),
    ]);
  });
});

const NOTICE = '{"code":"duplicate-id","source":"site"}';

/** Rewrites the lines of one file. */
type Change = (lines: string[]) => string[];

function replaceText(from: string, to: string): Change {
  return (lines) => lines.map((text) => text.replace(from, to));
}

describe('what no schema of a line can say', () => {
  it.each<[string, SnapshotFile, Change, string]>([
    [
      'a plan of a network that is not there',
      'dictionaries.json',
      replaceText('"network":0', '"network":2'),
      'dictionaries.json:1: expected plans[0].network below 2, got 2',
    ],
    [
      'two networks with one slug',
      'dictionaries.json',
      replaceText('borealis', 'aurora'),
      'dictionaries.json:1: expected each networks.slug once, got "aurora"',
    ],
    [
      'two networks with one id',
      'dictionaries.json',
      replaceText('"22"', '"21"'),
      'dictionaries.json:1: expected each networks.id once, got "21"',
    ],
    [
      'products out of order',
      'products.ndjson',
      (lines) => lines.toReversed(),
      'products.ndjson:2: expected products in order of id, new first, got "101/refurbished"',
    ],
    [
      'a product twice',
      'products.ndjson',
      ([first = '', , third = '']) => [first, first, third],
      'products.ndjson:2: expected each id and condition once, got "101/new"',
    ],
    [
      'a manufacturer that is not there',
      'products.ndjson',
      replaceText('"manufacturer":"nova"', '"manufacturer":"acme"'),
      'products.ndjson:1: expected a manufacturer of dictionaries.json, got "acme"',
    ],
    [
      'gifts out of order',
      'gifts.ndjson',
      (lines) => lines.toReversed(),
      'gifts.ndjson:2: expected gifts in order of id, each once, got "7"',
    ],
    [
      'a category with another name for a gift',
      'gift-categories.ndjson',
      replaceText('Watch', 'Clock'),
      'gift-categories.ndjson:1: expected gifts of gifts.ndjson, got "9"',
    ],
    [
      'a category twice',
      'gift-categories.ndjson',
      ([line = '']) => [line, line],
      'gift-categories.ndjson:2: expected gift categories in order of id, each once, got "3"',
    ],
    [
      'a picture that is not listed',
      'products.ndjson',
      replaceText('"images":{}', '"images":{"largeFrontImagePng":"/images/0123456789abcdef/large.png"}'),
      'pictures.ndjson: expected a line for /images/0123456789abcdef/large.png, got "none"',
    ],
    [
      'a picture that nothing shows',
      'pictures.ndjson',
      () => [`{"path":"/images/0123456789abcdef/large.png","bytes":1,"sha256":"${'a'.repeat(64)}"}`],
      'pictures.ndjson: expected a record that shows /images/0123456789abcdef/large.png, got "none"',
    ],
    [
      'products going back',
      'deals.ndjson',
      (lines) => lines.toReversed(),
      'deals.ndjson:2: expected a product row from 2 to 2, got 0',
    ],
    [
      'a link that is a script',
      'dictionaries.json',
      replaceText('https://shop.example/', 'javascript:'),
      'deals.ndjson:1: expected an http or https link at 0, got "javascript:deal-0?a=1"',
    ],
    [
      'provenance of another product',
      'provenance.ndjson',
      replaceText('"product":2', '"product":1'),
      'provenance.ndjson:2: expected product 2, as in deals.ndjson, got 1',
    ],
    [
      'provenance of too few deals',
      'provenance.ndjson',
      replaceText('["H-0","H-1"]', '["H-0"]'),
      'provenance.ndjson:1: expected 2 values in key, got 1',
    ],
    [
      'a line of provenance too few',
      'provenance.ndjson',
      (lines) => lines.slice(0, 1),
      'provenance.ndjson: expected 2 lines, one for each of deals.ndjson, got 1',
    ],
    [
      'a way to a product that is not listed',
      'provenance.ndjson',
      replaceText('"match":[0,0]', '"match":[0,1]'),
      'provenance.ndjson:1: expected match[1] below 1, got 1',
    ],
    [
      'the origin of another product',
      'product-origins.ndjson',
      replaceText('"condition":"refurbished"', '"condition":"new"'),
      'product-origins.ndjson:2: expected 101/refurbished, as in products.ndjson, got "101/new"',
    ],
    [
      'an origin too few',
      'product-origins.ndjson',
      (lines) => lines.slice(0, 2),
      'product-origins.ndjson: expected 3 lines, one for each of products.ndjson, got 2',
    ],
    [
      'a finding about a record that is not served among those about records that are',
      'notices.ndjson',
      () => ['{"code":"duplicate-id","source":"site"}'],
      'notices.ndjson:1: expected a code about what is served; the others are in quarantine.ndjson, got "duplicate-id"',
    ],
    [
      'a count of changes that is not what is listed and omitted',
      'changes.json',
      replaceText('"dealsGone":{"count":0', '"dealsGone":{"count":1'),
      'changes.json: expected dealsGone.count 0, listed and omitted, got 1',
    ],
    [
      'changes that lead to another number of deals',
      'changes.json',
      replaceText('"dealsGone":{"count":0,"omitted":0', '"dealsGone":{"count":1,"omitted":1'),
      'changes.json: expected after.deals 2, got 3',
    ],
    [
      'changes of another snapshot',
      'changes.json',
      replaceText('"after":{"products":3', '"after":{"products":4'),
      'changes.json: expected after.products 3, got 4',
    ],
    [
      'changes without a snapshot before and without a reason',
      'changes.json',
      replaceText('"reason":"nothing was published before",', ''),
      'changes.json: expected either the snapshot before or the reason why there is none, got "both or neither"',
    ],
    ['a line that is not JSON', 'gifts.ndjson', () => ['{'], 'gifts.ndjson:1: expected one JSON value, got "{"'],
    [
      'a line that the schema refuses',
      'gifts.ndjson',
      () => ['[]'],
      'gifts.ndjson:1: expected the published schema, got the value must be object',
    ],
  ])('%s', (_, file, change, message) => {
    expect(messagesAfter(file, change)).toContain(message);
  });

  it.each<[string, number, Partial<DealsLine>, string]>([
    ['arrays of different lengths', 0, { plan: [0] }, 'deals.ndjson:1: expected 2 values in plan, got 1'],
    ['a product row that is not there', 1, { product: 3 }, 'deals.ndjson:2: expected a product row from 0 to 2, got 3'],
    ['ranks going back within a product', 0, { rank: [2, 0] }, 'deals.ndjson:1: expected rank[1] above 2, got 0'],
    ['a rank twice', 1, { rank: [2] }, 'deals.ndjson: expected each rank from 0 to 2 once, got 2'],
    [
      'a rank that is not the order of total cost',
      1,
      { totalPence: [99999] },
      'deals.ndjson: expected a total of at least 99999 pence at rank 2, got 70000',
    ],
    ['a plan that is not there', 0, { plan: [0, 1] }, 'deals.ndjson:1: expected plan[1] below 1, got 1'],
    ['a retailer that is not there', 0, { retailer: [1, 0] }, 'deals.ndjson:1: expected retailer[0] below 1, got 1'],
    ['a gift that is not there', 0, { gift: [3, 0] }, 'deals.ndjson:1: expected gift[0] below 3, got 3'],
    ['a cashback that is not there', 0, { cashback: [2, 0] }, 'deals.ndjson:1: expected cashback[0] below 2, got 2'],
    [
      'a picture of a feed that is not there',
      0,
      { picture: [2, 0] },
      'deals.ndjson:1: expected picture[0] below 2, got 2',
    ],
    [
      'a link template that is not there',
      0,
      { linkTemplate: [1, 0] },
      'deals.ndjson:1: expected linkTemplate[0] below 1, got 1',
    ],
  ])('deals with %s', (_, position, changed, message) => {
    const change: Change = (lines) => lines.map((text, i) => (i === position ? merge(text, changed) : text));
    expect(messagesAfter('deals.ndjson', change)).toContain(message);
  });
});

function merge(text: string, changed: object): string {
  return JSON.stringify({ ...(JSON.parse(text) as object), ...changed });
}

/** What the check says of the files of a snapshot of which one is changed. */
function messagesAfter(file: SnapshotFile, change: Change): readonly string[] {
  const folder = createTemporaryFolder();
  const content = listLines(createContent());
  const files = Object.fromEntries(
    SNAPSHOT_FILES.map((name) => [
      name,
      writeLines(join(folder, name), name === file ? change(content[name]) : content[name]),
    ]),
  ) as Manifest['files'];
  return checkSnapshotFiles(folder, files).issues.map(snapshotErrorMessage);
}
