import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  currentSchema,
  dealsLineSchema,
  dictionariesSchema,
  giftCategoryLineSchema,
  giftLineSchema,
  manifestSchema,
  pictureLineSchema,
  productLineSchema,
  provenanceLineSchema,
} from '../../data/snapshot/format.ts';
import { randomCatalogue } from './random-catalogue.ts';
import { createRandom } from '../support/random.ts';
import { writeSnapshot } from './write-snapshot.ts';

const store = mkdtempSync(join(tmpdir(), 'deals-oracle-'));
afterAll(() => rmSync(store, { recursive: true }));

describe('a snapshot written for the oracle', () => {
  it.each([1, 2, 3, 4, 5, 6])('follows the format of the snapshot, seed %d', (seed) => {
    const catalogue = randomCatalogue(createRandom(seed));
    const id = writeSnapshot(catalogue, store, { sequence: seed, dealsPerLine: 7 });
    const read = (name: string): string => readFileSync(join(store, id, name), 'utf8');
    const linesOf = <Schema extends z.ZodType>(name: string, schema: Schema): z.infer<Schema>[] =>
      read(name)
        .split('\n')
        .slice(0, -1)
        .map((line) => schema.parse(JSON.parse(line)));

    expect(currentSchema.parse(JSON.parse(readFileSync(join(store, 'current.json'), 'utf8')))).toEqual({
      snapshot: id,
    });
    const manifest = manifestSchema.parse(JSON.parse(read('manifest.json')));
    dictionariesSchema.parse(JSON.parse(read('dictionaries.json')));
    linesOf('gifts.ndjson', giftLineSchema);
    linesOf('gift-categories.ndjson', giftCategoryLineSchema);
    linesOf('pictures.ndjson', pictureLineSchema);
    expect(linesOf('products.ndjson', productLineSchema)).toHaveLength(manifest.counts.products);
    const ranks = linesOf('deals.ndjson', dealsLineSchema).flatMap(({ rank }) => rank);
    const keys = linesOf('provenance.ndjson', provenanceLineSchema).flatMap(({ key }) => key);
    expect(ranks.toSorted((a, b) => a - b)).toEqual(catalogue.deals.map((_, position) => position));
    expect(keys).toHaveLength(catalogue.deals.length);
  });
});
