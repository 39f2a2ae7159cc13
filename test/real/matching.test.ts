import { existsSync, readFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createProductMatcher, type MatchProduct } from '../../build/match/match-product.ts';
import { cmsOf, join } from '../unit/build/join/sample-records.ts';
import { readModels, REAL_NAMES, storageOf, type Model } from './matching-models.ts';
import type { TableProduct } from './phone-table.ts';

const REAL_FILES = new URL('../../../shared/data/', import.meta.url).pathname;
const PHONES = joinPath(REAL_FILES, 'specs/gsmarena_2021_asma-alsubaie.csv');
const FEED_NAMES = joinPath(REAL_FILES, 'awin/mobilesdeals_common_names_2023.json');
const hasRealFiles = existsSync(PHONES) && existsSync(FEED_NAMES);
if (!hasRealFiles) console.log('skipped: the real files are not beside the project (test/real/matching)');

/** A real name, as the feed has it or with a storage, and the one product that it means: `101/new`. */
interface LabelledName {
  readonly kind: string;
  readonly name: string;
  readonly condition: 'new';
  readonly answer?: string;
}

/** What the matcher made of the names of a kind. */
interface Score {
  names: number;
  answers: number;
  right: number;
  /** Matches with a product that the name does not mean. */
  readonly wrong: string[];
}

describe.skipIf(!hasRealFiles)('the real names of a feed, against the phones of the table', () => {
  let phones: readonly Model[];
  let products: readonly TableProduct[];

  beforeAll(() => {
    phones = readModels(PHONES).filter((model) => model.isPhone && model.products.length > 0);
    products = phones.flatMap((model) => model.products);
  });

  it('are those that were labelled by hand, with phones of the table', () => {
    expect([...REAL_NAMES.keys()]).toEqual(JSON.parse(readFileSync(FEED_NAMES, 'utf8')));
    const known = new Set(phones.map(({ name }) => name));
    expect([...REAL_NAMES.values()].filter((name) => name !== undefined && !known.has(name))).toEqual([]);
  });

  it('match nothing as they are, since none says its storage', () => {
    const names = [...REAL_NAMES.keys()].map((name) => newName('real: as they are', name));
    const { wrong } = scoreNames(names, createMatcher(products), new Map());
    expect(wrong).toEqual([]);
  });

  it('with a storage, or where products have none: no wrong match', () => {
    const bare = phones.flatMap(({ name, products }) => products.slice(0, 1).map((product) => ({ ...product, name })));
    const scores = new Map<string, Score>();
    scoreNames(writeWithStorage(products), createMatcher(products), scores);
    scoreNames(writeBare(bare), createMatcher(bare), scores);
    printScores(scores);
    const { wrong, answers } = total(scores);
    expect(wrong).toEqual([]);
    expect(answers).toBeGreaterThan(50);
  });
});

/** The real names with each storage of the phone that they mean; those that mean none, with two that many phones have. */
function writeWithStorage(products: readonly TableProduct[]): readonly LabelledName[] {
  const byName = new Map(products.map((product) => [product.name, product]));
  return [...REAL_NAMES].flatMap(([name, model]) => {
    const ofModel = products.filter((product) => product.condition === 'new' && isOfModel(product, model));
    const storages = model === undefined ? ['64GB', '128GB'] : ofModel.map((product) => storageOf(product));
    return storages.map((storage) =>
      newName('real: with a storage', `${name} ${storage}`, byName.get(`${model} ${storage}`)),
    );
  });
}

function isOfModel(product: TableProduct, model: string | undefined): boolean {
  return product.name === `${model} ${storageOf(product)}`;
}

function writeBare(products: readonly TableProduct[]): readonly LabelledName[] {
  return [...REAL_NAMES].map(([name, model]) =>
    newName(
      'real: products without storage',
      name,
      products.find((product) => product.name === model),
    ),
  );
}

function newName(kind: string, name: string, product?: TableProduct): LabelledName {
  const label = { kind, name, condition: 'new' } as const;
  return product === undefined ? label : { ...label, answer: `${product.id}/new` };
}

function createMatcher(products: readonly TableProduct[]): MatchProduct {
  const makers = products.map(({ manufacturer, name }) => ({
    slug: manufacturer,
    name: name.replace(/^Refurbished /, '').split(' ')[0],
  }));
  const manufacturers = [...new Map(makers.map((maker) => [maker.slug, maker])).values()];
  return createProductMatcher(join(cmsOf({ products, manufacturers })).joined);
}

/** Matches the names, adds what came of them to `scores`, and gives the sum of these names alone. */
function scoreNames(names: readonly LabelledName[], match: MatchProduct, scores: Map<string, Score>): Score {
  const sum = newScore();
  for (const { kind, name, condition, answer } of names) {
    const found = match('awin', { name, condition, feedIds: [] });
    const got = found.kind === 'product' ? `${found.id}/${found.condition}` : undefined;
    const ofKind = scores.get(kind) ?? newScore();
    scores.set(kind, ofKind);
    for (const score of [sum, ofKind]) {
      score.names++;
      if (answer !== undefined) score.answers++;
      if (got !== undefined && got === answer) score.right++;
      if (got !== undefined && got !== answer) score.wrong.push(`${kind}: ${JSON.stringify(name)} is not ${got}`);
    }
  }
  return sum;
}

function newScore(): Score {
  return { names: 0, answers: 0, right: 0, wrong: [] };
}

function total(scores: ReadonlyMap<string, Score>): Score {
  const sum = newScore();
  for (const { names, answers, right, wrong } of scores.values()) {
    sum.names += names;
    sum.answers += answers;
    sum.right += right;
    sum.wrong.push(...wrong);
  }
  return sum;
}

function printScores(scores: ReadonlyMap<string, Score>): void {
  const rows = [...scores, ['all', total(scores)] as const].map(([kind, { names, answers, right, wrong }]) => {
    const recall = answers === 0 ? '' : `${((100 * right) / answers).toFixed(1)} %`;
    return [kind.padEnd(46), String(names).padStart(6), String(answers).padStart(8), recall.padStart(8), wrong.length];
  });
  const header = ['kind'.padEnd(46), ' names', ' answers', '  recall', 'wrong'];
  console.log([header, ...rows].map((cells) => cells.join(' ')).join('\n'));
}
