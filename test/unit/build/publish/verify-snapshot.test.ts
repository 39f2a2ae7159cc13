import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeRendition } from '../../../../build/image/renditions.ts';
import { publishSnapshot } from '../../../../build/publish/publish.ts';
import { checkSnapshot, verifySnapshot } from '../../../../build/publish/verify.ts';
import { createDurably } from '../../../../data/store/durable-file.ts';
import { writeLines } from '../../../../data/store/lines.ts';
import { type Manifest, SNAPSHOT_FILES, type SnapshotFile } from '../../../../data/snapshot/format.ts';
import { readTable } from '../../../support/table.ts';
import { createCatalogue, createNoPictures } from '../encode/example-catalogue.ts';
import { createContent, listLines } from './snapshot-content.ts';
import { createTemporaryFolder } from './temporary-store.ts';

const FACTS = { now: new Date('2026-11-20T02:30:00Z'), sources: [], gates: [] };

function publish(): { readonly store: string; readonly id: string } {
  const store = createTemporaryFolder();
  return { store, id: publishSnapshot(store, createContent(), FACTS).id };
}

describe('verifySnapshot finds', () => {
  it.each(SNAPSHOT_FILES)('one bit flipped in %s, and its absence', (file) => {
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
    rmSync(path);
    expect(verifySnapshot(store, id)).toContainEqual(expect.objectContaining({ code: 'unreadable-file', file }));
  });

  it('another count or number of bytes in the manifest', () => {
    const { store, id } = publish();
    const path = join(store, id, 'manifest.json');
    // As an older program writes it: without a hash of its own, which would have found it all.
    const { manifestHash: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
    const { bytes, sha256 } = manifest.files['deals.ndjson'];
    const faultOf = (changed: Partial<Manifest>): readonly string[] => {
      writeFileSync(path, JSON.stringify({ ...manifest, ...changed }));
      return verifySnapshot(store, id).map(({ message }) => message);
    };
    expect([
      faultOf({ counts: { ...manifest.counts, deals: 4 } }),
      faultOf({ files: { ...manifest.files, 'deals.ndjson': { bytes: bytes + 1, sha256 } } }),
    ]).toEqual([
      ['manifest.json: expected counts.deals 3, got 4'],
      [`deals.ndjson: expected ${bytes + 1} bytes, got ${bytes}`],
    ]);
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
    const content = createContent(catalogue, {
      ...createNoPictures(catalogue),
      products: [shown, {}, {}],
      pictures,
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

/** How the lines of a file are changed: one of these. */
interface Change {
  readonly replace?: readonly [from: string, to: string];
  /** The positions of the lines that are kept, in this order. */
  readonly keep?: readonly number[];
  readonly lines?: readonly string[];
  /** Values of the JSON at a line. */
  readonly set?: readonly [line: number, values: object];
}

interface Damage extends Change {
  readonly name: string;
  readonly file: SnapshotFile;
  readonly message: string;
}

function changeLines(lines: readonly string[], { replace, keep, lines: others, set }: Change): readonly string[] {
  if (replace !== undefined) return lines.map((text) => text.replace(...replace));
  if (keep !== undefined) return keep.map((position) => lines[position] ?? '');
  if (set === undefined) return others ?? [];
  const [changed, values] = set;
  return lines.map((text, i) =>
    i === changed ? JSON.stringify({ ...(JSON.parse(text) as object), ...values }) : text,
  );
}

describe('what no schema of a line can say', () => {
  it.each(readTable<Damage>(import.meta.url, 'fixture/damage.ndjson'))('$name', ({ file, message, ...change }) => {
    expect(messagesAfter(file, change)).toContain(message);
  });
});

/** What the check says of the files of a snapshot of which one is changed. */
function messagesAfter(file: SnapshotFile, change: Change): readonly string[] {
  const folder = createTemporaryFolder();
  const content = listLines(createContent());
  const files = Object.fromEntries(
    SNAPSHOT_FILES.map((name) => [
      name,
      writeLines(join(folder, name), name === file ? changeLines(content[name], change) : content[name]),
    ]),
  ) as Manifest['files'];
  return checkSnapshot(folder, files).faults.map(({ message }) => message);
}
