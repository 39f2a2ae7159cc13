import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashManifest } from '../../../../data/store/manifest.ts';
import { SERVED_FILES, type Manifest, type ServedFile } from '../../../../data/snapshot/format.ts';
import { SnapshotError } from '../../../../data/snapshot/snapshot-error.ts';
import { loadSnapshot } from '../../../../server/snapshot/load-snapshot.ts';
import { formatPointer, snapshotPath } from '../../../../data/store/layout.ts';
import { listFallbacks } from '../../../../data/store/snapshots.ts';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import { hashContent, writeSnapshot } from '../../../oracle/write-snapshot.ts';
import { createRandom } from '../../../support/random.ts';
import { readTable } from '../../../support/table.ts';

const root = mkdtempSync(join(tmpdir(), 'deals-load-'));
const sound = join(root, 'sound');
const store = join(root, 'store');
let id: string;

beforeAll(() => {
  id = writeSnapshot(FIXTURE, sound, { dealsPerLine: 3 });
});
beforeEach(() => {
  rmSync(store, { recursive: true, force: true });
  cpSync(sound, store, { recursive: true, filter: (path) => !path.endsWith('/images') });
});
afterAll(() => rmSync(root, { recursive: true }));

const pathOf = (name: string): string => join(store, id, name);
const read = (name: string): Buffer => readFileSync(pathOf(name));
const write = (name: string, bytes: Buffer | string): void => writeFileSync(pathOf(name), bytes);

type Editable<Shape> = Shape extends object ? { -readonly [Key in keyof Shape]: Editable<Shape[Key]> } : Shape;
type AnyManifest = Editable<Manifest>;

function editManifest(edit: (manifest: AnyManifest & Record<string, unknown>) => void): void {
  const manifest = JSON.parse(read('manifest.json').toString()) as AnyManifest & Record<string, unknown>;
  edit(manifest);
  write('manifest.json', JSON.stringify(manifest));
}

/** Edits the manifest as a build with a bug would publish it: under the hash of its content. */
function publishManifest(edit: (manifest: AnyManifest & Record<string, unknown>) => void): void {
  editManifest((manifest) => {
    edit(manifest);
    manifest.contentHash = hashContent(manifest.files, manifest.imagesBaseUrl);
  });
}

/** Replaces a file and its hash in the manifest: what a build with a bug would publish. */
function publish(name: ServedFile, text: string): void {
  write(name, text);
  publishManifest(({ files }) => {
    files[name] = { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
  });
}

async function issueOf(loading: Promise<unknown>): Promise<SnapshotError> {
  const error: unknown = await loading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SnapshotError)) throw new Error(`expected a SnapshotError, got ${String(error)}`);
  return error;
}
const load = () => loadSnapshot(store, id, { publicUrl: 'https://deals.test/' });
const refusal = () => issueOf(load());

describe('loading a snapshot', () => {
  it('puts the host of the manifest before the paths of pictures, if it names one', async () => {
    publishManifest((manifest) => {
      manifest.imagesBaseUrl = 'https://cdn.test/p/';
    });
    const { index, pictureBaseUrl } = await load();
    expect(pictureBaseUrl).toBe('https://cdn.test/p');
    expect(index.networks.map(({ logos }) => logos.small)).toContain(
      'https://cdn.test/p/images/aaaaaaaaaaaaaaaa/o2-small.webp',
    );
  });

  it('gives way to other work while it loads', async () => {
    const plenty = { ...FIXTURE, deals: Array.from({ length: 300 }, () => FIXTURE.deals).flat() };
    id = writeSnapshot(plenty, store, { dealsPerLine: 1 });
    let turns = 0;
    const count = setInterval(() => turns++, 0);
    await load();
    clearInterval(count);
    id = writeSnapshot(FIXTURE, sound, { dealsPerLine: 3 });
    expect(turns).toBeGreaterThan(1);
  });
});

describe('a file that was damaged', () => {
  it.each(SERVED_FILES)('%s is cut short, longer, has one bit flipped, or is missing', async (name) => {
    const bytes = read(name);
    const random = createRandom(1);
    const cuts = [bytes.length - 1, bytes.lastIndexOf('\n', -2) + 1, 0].map((length) => bytes.subarray(0, length));
    const longer = ['\n', '{}\n', Buffer.alloc(1_000_000)].map((more) => Buffer.concat([bytes, Buffer.from(more)]));
    const flipped = Array.from({ length: 20 }, () => {
      const at = random.below(bytes.length);
      return bytes.map((byte, i) => (i === at ? byte ^ (1 << random.below(8)) : byte));
    });
    for (const damaged of [...cuts, ...longer, ...flipped]) {
      write(name, Buffer.from(damaged));
      expect(await refusal()).toMatchObject({ code: 'wrong-hash', file: pathOf(name) });
    }
    rmSync(pathOf(name));
    expect(await refusal()).toMatchObject({ code: 'unreadable-file', file: pathOf(name) });
  });
});

/** Values that are put over those of a manifest, by their path; null for an absent one. */
interface WrongManifest {
  readonly what: string;
  readonly set: Readonly<Record<string, unknown>>;
  readonly code?: SnapshotError['code'];
  readonly message: string;
}

describe('a manifest that cannot be used', () => {
  it.each(readTable<WrongManifest>(import.meta.url, 'fixture/wrong-manifests.ndjson'))(
    '$what',
    async ({ set, code = 'malformed-file', message }) => {
      editManifest((manifest) => {
        for (const [path, value] of Object.entries(set)) {
          const [key = '', parent] = path.split('/').toReversed();
          const within = (parent === undefined ? manifest : manifest[parent]) as Record<string, unknown>;
          if (value === null) delete within[key];
          else within[key] = value;
        }
      });
      expect((await refusal()).code).toBe(code);
      await expect(load()).rejects.toThrow(new RegExp(message));
    },
  );

  it.each<[string, () => void, SnapshotError['code'], RegExp]>([
    ['is missing', () => rmSync(pathOf('manifest.json')), 'unknown-snapshot', /no snapshot "2026/],
    ['is not JSON', () => write('manifest.json', '{'), 'malformed-file', /expected one JSON value, got "\{"$/],
    ['is null', () => write('manifest.json', 'null'), 'malformed-file', /expected .*, got something else/],
    [
      'says anything else than it was published with',
      () => {
        editManifest((manifest) => (manifest.manifestHash = hashManifest(manifest)));
        editManifest((manifest) => (manifest.createdAt = '2036-11-19T02:30:00Z'));
      },
      'wrong-hash',
      /manifest\.json: expected SHA-256 [0-9a-f]{64}, got [0-9a-f]{64}; the file was damaged after it was published$/,
    ],
  ])('%s', async (_what, damage, code, message) => {
    damage();
    expect((await refusal()).code).toBe(code);
    await expect(load()).rejects.toThrow(message);
  });

  it.each(['', '..', '../sound', 'current.json', '20261119T0001Z-0000000G'])('of the id %j', async (wrong) => {
    expect(await issueOf(loadSnapshot(store, wrong, { publicUrl: '' }))).toMatchObject({
      code: 'unknown-snapshot',
      message: `${store}: no snapshot ${JSON.stringify(wrong)}; deals status lists those there are`,
    });
  });
});

/** Values that are put over those of a line, or over the first of its lists; null for an absent key. Or the whole text. */
interface Wrong {
  readonly what: string;
  readonly file: ServedFile;
  readonly line?: number;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly first?: Readonly<Record<string, unknown>>;
  readonly drop?: string;
  readonly text?: string;
}

// What else the reader refuses, with what it says, is in `unit/build/publish/fixture/damage.ndjson`.
it.each(readTable<Wrong>(import.meta.url, 'fixture/wrong.ndjson'))(
  'a file that was published wrong, under its right hash, is refused: $what',
  async ({ file, line = 1, set = {}, first = {}, drop = '', text }) => {
    const lines = read(file).toString().split('\n');
    const { [drop]: _, ...record } = JSON.parse(lines[line - 1] ?? '') as Record<string, unknown[]>;
    const changed = Object.entries(first).map(([name, value]) => [name, [value, ...(record[name] ?? []).slice(1)]]);
    lines[line - 1] = JSON.stringify({ ...record, ...(Object.fromEntries(changed) as object), ...set });
    publish(file, text?.replace('$', read(file).toString()) ?? lines.join('\n'));
    expect((await refusal()).code).toBe('malformed-file');
  },
);

describe('a store', () => {
  it('lists what can stand in for its current snapshot: no newer one, and none that was rolled back from', () => {
    const fallbacks = (): readonly string[] => listFallbacks(store).map((snapshot) => snapshot.id);
    const second = writeSnapshot({ ...FIXTURE, products: [], deals: [] }, store, { sequence: 2 });
    const third = writeSnapshot({ ...FIXTURE, giftCategories: [] }, store, { sequence: 3 });
    writeFileSync(join(store, third, 'manifest.json'), '{"sequence": 3}');
    const empty = '20261119T0009Z-00000000';
    mkdirSync(join(store, empty));
    expect(fallbacks()).toEqual([third, second, id, empty]);
    writeFileSync(join(store, 'current.json'), '{}');
    const switched = { snapshot: id, replacedBy: second };
    writeFileSync(join(store, 'previous.json'), formatPointer(switched));
    expect(fallbacks()).toEqual([second, id, empty]);
    writeFileSync(snapshotPath(store, second, 'rolled-back'), '');
    expect(fallbacks()).toEqual([id, empty]);
  });
});
