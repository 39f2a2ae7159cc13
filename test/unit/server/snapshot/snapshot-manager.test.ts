import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../../server/log.ts';
import { cursorContent } from '../../../../server/query/pagination.ts';
import { SnapshotManager } from '../../../../server/snapshot/snapshot-manager.ts';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import { until } from '../../../harness.ts';
import type { OracleCatalogue } from '../../../oracle/catalogue.ts';
import { writeSnapshot } from '../../../oracle/write-snapshot.ts';

const GRACE_SECONDS = 900;

let store: string;
let clock: number;
let log: LogEntry[];
let manager: SnapshotManager;
let sequence: number;

beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'deals-manager-'));
  clock = 0;
  sequence = 0;
  log = [];
  manager = createManager();
});
afterEach(() => {
  manager.close();
  rmSync(store, { recursive: true, force: true });
});

function createManager(): SnapshotManager {
  return new SnapshotManager({
    store,
    publicUrl: 'https://deals.test',
    log: (entry) => log.push(entry),
    now: () => clock,
  });
}

/** Each number is another content. */
function catalogue(content: number): OracleCatalogue {
  return { ...FIXTURE, manufacturers: [...FIXTURE.manufacturers, { slug: `m${content}`, name: `M${content}` }] };
}
const publish = (content: number): string => writeSnapshot(catalogue(content), store, { sequence: ++sequence });
/** Publishes a snapshot, and lets the manager look at the store. */
async function publishAndLoad(content: number): Promise<string> {
  const id = publish(content);
  await manager.refresh();
  return id;
}
const damage = (id: string): void => truncateSync(join(store, id, 'products.ndjson'), 100);
const point = (id: string): void => writeFileSync(join(store, 'current.json'), JSON.stringify({ snapshot: id }));
const loadedIds = (): string[] => manager.loaded.map(({ manifest }) => manifest.id);
const events = (): string[] => log.map(({ event, snapshot }) => `${event} ${String(snapshot ?? '')}`.trim());

describe('the snapshots a server holds (D15)', () => {
  it('are the one that the store names, and none before there is one', async () => {
    await manager.refresh();
    expect(manager.current).toBeUndefined();
    const id = await publishAndLoad(1);
    expect(loadedIds()).toEqual([id]);
    expect(events()).toEqual(['snapshot-unreadable', `snapshot-taken-up ${id}`]);
  });

  it('are the new one and, for the grace period, the one before', async () => {
    const first = await publishAndLoad(1);
    const second = publish(2);
    clock = 50_000;
    await manager.refresh();
    expect(loadedIds()).toEqual([second, first]);
    clock += GRACE_SECONDS * 1000 - 1;
    expect(loadedIds()).toEqual([second, first]);
    clock += 1;
    expect(loadedIds()).toEqual([second]);
  });

  it('are never more than two: a third drops the first before its time, while it is being loaded', async () => {
    await publishAndLoad(1);
    const second = await publishAndLoad(2);
    const third = publish(3);
    const most: number[] = [];
    const watching = setInterval(() => most.push(manager.loaded.length), 0);
    const loading = manager.refresh();
    await until(async () => most.length > 0, 1_000);
    await loading;
    clearInterval(watching);
    expect(Math.min(...most)).toBe(1);
    expect(loadedIds()).toEqual([third, second]);
  });

  it('of the same content under a new id keep cursors, and keep the one before', async () => {
    const first = await publishAndLoad(1);
    await publishAndLoad(2);
    const content = cursorContent(manager.current?.manifest.contentHash ?? '');
    const renewed = await publishAndLoad(2);
    expect(manager.findContent(content)?.manifest.id).toBe(renewed);
    expect(loadedIds()).toEqual([renewed, first]);
  });

  it('of the same content under a new id are not loaded again', async () => {
    await publishAndLoad(1);
    const index = manager.current?.index;
    const renewed = await publishAndLoad(1);
    expect(loadedIds()).toEqual([renewed]);
    expect(manager.current?.index).toBe(index);
    expect(manager.current?.manifest.sequence).toBe(2);
  });

  it('of the same content under a new id are compared with their hashes all the same', async () => {
    const first = await publishAndLoad(1);
    const renewed = publish(1);
    damage(renewed);
    await manager.refresh();
    expect(loadedIds()).toEqual([first]);
    expect(events().at(-1)).toBe(`snapshot-refused ${renewed}`);
    expect(log.at(-1)?.['cause']).toContain('products.ndjson');
  });

  it('of the content of the one before change places with the current one', async () => {
    const first = await publishAndLoad(1);
    const index = manager.current?.index;
    const second = await publishAndLoad(2);
    point(first);
    await manager.refresh();
    expect(loadedIds()).toEqual([first, second]);
    expect(manager.current?.index).toBe(index);
  });

  it('free the memory of an old one when its time is over, without a request', async () => {
    await publishAndLoad(1);
    const first = new WeakRef(manager.current as object);
    await publishAndLoad(2);
    clock = GRACE_SECONDS * 1000;
    await manager.refresh();
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    await until(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
      return first.deref() === undefined;
    }, 5_000);
    expect(first.deref()).toBeUndefined();
  });
});

describe('a snapshot that cannot be loaded', () => {
  it('leaves the last good one current, and is not tried again', async () => {
    const good = await publishAndLoad(1);
    const bad = publish(2);
    damage(bad);
    await manager.refresh();
    await manager.refresh();
    expect(loadedIds()).toEqual([good]);
    expect(events()).toEqual([`snapshot-taken-up ${good}`, `snapshot-refused ${bad}`]);
    expect(log.at(-1)).toMatchObject({ serving: good, cause: expect.stringContaining('products.ndjson') as string });
    const next = await publishAndLoad(3);
    expect(loadedIds()).toEqual([next, good]);
  });

  it('at the start gives way to the newest that is sound, and is tried once', async () => {
    publish(1);
    const sound = publish(2);
    const damaged = publish(3);
    damage(damaged);
    const named = publish(4);
    damage(named);
    await manager.start();
    await manager.refresh();
    await manager.refresh();
    expect(loadedIds()).toEqual([sound]);
    expect(events()).toEqual([
      `snapshot-refused ${named}`,
      `snapshot-refused ${damaged}`,
      `snapshot-taken-up ${sound}`,
    ]);
  });

  it('at the start without current.json gives way to the newest', async () => {
    publish(1);
    const newest = publish(2);
    rmSync(join(store, 'current.json'));
    await manager.start();
    expect(loadedIds()).toEqual([newest]);
  });

  it('at the start does not give way to a newer one when its manifest is what is damaged', async () => {
    const named = publish(1);
    publish(2);
    point(named);
    const manifest = join(store, named, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"counts"', '"cuonts"'));
    await manager.start();
    expect(loadedIds()).toEqual([]);
    expect(events()).toEqual([`snapshot-refused ${named}`]);
  });
});

describe('a store that changes while it is watched', () => {
  it('is followed without being asked, within two seconds', async () => {
    publish(1);
    await manager.start();
    const second = publish(2);
    await until(async () => manager.current?.manifest.id === second, 2_000);
    expect(events().at(-1)).toBe(`snapshot-taken-up ${second}`);
  });

  it('may vanish: what is held stays, it is logged once, and nothing is left unhandled', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): unknown => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const id = publish(1);
    await manager.start();
    rmSync(store, { recursive: true });
    expect(existsSync(store)).toBe(false);
    await Promise.all([manager.refresh(), manager.refresh()]);
    await manager.refresh();
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    process.off('unhandledRejection', note);
    expect(loadedIds()).toEqual([id]);
    expect(events()).toEqual([`snapshot-taken-up ${id}`, 'snapshot-unreadable']);
    expect(unhandled).toEqual([]);
  });

  it('is read once however often it is looked at', async () => {
    const id = publish(1);
    await Promise.all([manager.refresh(), manager.refresh(), manager.refresh()]);
    expect(events()).toEqual([`snapshot-taken-up ${id}`]);
  });
});
