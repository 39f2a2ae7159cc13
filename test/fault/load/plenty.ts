import { createHash } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addKey } from '../../../server/keys/key-file.ts';
import { writeSnapshot } from '../../oracle/write-snapshot.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';

/** A store with plenty of deals, and keys to it. */
export interface PlentyStore {
  readonly store: string;
  readonly keysFile: string;
  readonly key: string;
  readonly snapshotIds: readonly string[];
  /** Makes one of the snapshots current, as a build does. */
  publish(snapshotId: string): void;
  remove(): void;
}

/** Every deal there is: of 25,000 deals 27 MB, which no system buffers whole. */
export const LARGEST = '/deals/v1/products/?expand=deals';

/** @param copies of the 19 deals of the fixture, each under a link of its own, so that they are hard to compress */
export async function writePlenty(copies: number, snapshotCount = 1): Promise<PlentyStore> {
  const folder = mkdtempSync(join(tmpdir(), 'deals-fault-load-'));
  const store = join(folder, 'store');
  const keysFile = join(folder, 'keys.json');
  const { keyText: key } = await addKey(keysFile, { name: 'load' }, new Date());
  const snapshotIds = Array.from({ length: snapshotCount }, (_, position) => {
    const deals = Array.from({ length: copies }, (_copy, copy) =>
      FIXTURE.deals.map((deal, i) => ({ ...deal, link: linkOf(`${position} ${copy} ${i}`) })),
    );
    return writeSnapshot({ ...FIXTURE, deals: deals.flat() }, store, { sequence: position + 1 });
  });
  return {
    store,
    keysFile,
    key,
    snapshotIds,
    publish: (snapshot) => {
      writeFileSync(join(store, 'next.json'), JSON.stringify({ snapshot }));
      renameSync(join(store, 'next.json'), join(store, 'current.json'));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function linkOf(seed: string): string {
  return `https://shop.example/deal?id=${createHash('sha256').update(seed).digest('base64url')}`;
}
