import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPublishedChanges } from '../../../../build/changes/compare-snapshots.ts';
import { publishSnapshot } from '../../../../build/publish/publish.ts';
import { verifySnapshot } from '../../../../build/publish/verify.ts';
import { readManifest } from '../../../../data/store/snapshots.ts';
import { createCatalogue, createDeals } from '../encode/example-catalogue.ts';
import { createContent } from '../publish/snapshot-content.ts';
import { createTemporaryFolder } from '../publish/temporary-store.ts';

const FACTS = { sources: [], gates: [] };
const FIRST = { ...FACTS, now: new Date('2026-11-20T02:30:00Z') };
const SECOND = { ...FACTS, now: new Date('2026-11-21T02:30:00Z') };

/** The example with the deals of the last product gone. */
function createSmallerContent() {
  const catalogue = createCatalogue();
  return createContent({
    ...catalogue,
    deals: createDeals(catalogue.records.products.length, [{ product: 0, totalPence: 720 }]),
  });
}

function changesOf(store: string, id: string) {
  return readPublishedChanges(store, readManifest(store, id));
}

describe('changes.json', () => {
  it('of the first snapshot says that everything is new, and why', () => {
    const store = createTemporaryFolder();
    const { id } = publishSnapshot(store, createContent(), FIRST);
    expect(changesOf(store, id)).toMatchObject({
      reason: 'nothing was published before',
      before: { products: 0, deals: 0 },
      after: { products: 3, deals: 3 },
      productsNew: { count: 3 },
      dealsNew: { count: 3 },
    });
  });

  it('of the next says what differs from the one that was current', () => {
    const store = createTemporaryFolder();
    const first = publishSnapshot(store, createContent(), FIRST);
    const second = publishSnapshot(store, createSmallerContent(), SECOND);
    expect(changesOf(store, second.id)).toMatchObject({
      from: first.id,
      before: { products: 3, deals: 3 },
      after: { products: 3, deals: 1 },
      dealsGone: { count: 2 },
      productsNew: { count: 0 },
    });
    expect(verifySnapshot(store, second.id)).toEqual([]);
  });

  it.each([
    ['deals.ndjson', 'wrong-hash'],
    ['manifest.json', 'malformed-file'],
  ])('says that the snapshot before cannot be compared with when its %s is damaged', (file, code) => {
    const store = createTemporaryFolder();
    const first = publishSnapshot(store, createContent(), FIRST);
    writeFileSync(join(store, first.id, file), '');
    const second = publishSnapshot(store, createSmallerContent(), SECOND);
    expect(changesOf(store, second.id)).toMatchObject({
      reason: `the snapshot before, ${first.id}, cannot be compared with: ${code}`,
      dealsNew: { count: 1 },
    });
    expect(readFileSync(join(store, second.id, 'changes.json'), 'utf8')).not.toContain(store);
  });
});
