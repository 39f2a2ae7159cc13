import { createHash } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { withStore } from '../../harness.ts';

/** A store with plenty of deals, and a key to it. */
export interface PlentyStore {
  readonly store: string;
  readonly keysFile: string;
  readonly key: string;
  readonly snapshotIds: readonly string[];
  /** Makes one of the snapshots current, as a build does. */
  point(snapshotId: string): void;
  remove(): void;
}

/** Every deal there is: of 19,000 deals 20 MB, which no system buffers whole. */
export const LARGEST = '/deals/v1/products/?expand=deals';

/** @param copies of the 19 deals of the fixture, each under a link of its own, so that they are hard to compress */
export async function writePlenty(copies: number, snapshotCount = 1): Promise<PlentyStore> {
  const { store, keysFile, key, publish, remove } = await withStore(null);
  const linkOf = (seed: string) =>
    `https://shop.example/deal?id=${createHash('sha256').update(seed).digest('base64url')}`;
  const snapshotIds = Array.from({ length: snapshotCount }, (_, position) => {
    const deals = Array.from({ length: copies }, (_copy, copy) =>
      FIXTURE.deals.map((deal, i) => ({ ...deal, link: linkOf(`${position} ${copy} ${i}`) })),
    );
    return publish({ ...FIXTURE, deals: deals.flat() });
  });
  const point = (snapshot: string) => {
    writeFileSync(join(store, 'next.json'), JSON.stringify({ snapshot }));
    renameSync(join(store, 'next.json'), join(store, 'current.json'));
  };
  return { store, keysFile, key, snapshotIds, point, remove };
}
