import type { Random } from '../../support/random.ts';
import type { Catalogue } from './catalogue.ts';
import { draftName, textOf, type Draft, type Way } from './draft.ts';
import { judge, judgeWithId, keyOf, type Condition, type Label } from './judge.ts';
import { PHONE_LIST, type Phone } from './phones.ts';
import { COLUMN_ROWS, ID_ROWS, NETWORK_ROWS, RETAILER_ROWS, type IdRow, type Reference } from './row-groups.ts';
import { addColour } from './way-parts.ts';
import WORDS from './fixture/words.json' with { type: 'json' };
import { WAYS } from './ways.ts';

export type FeedName = 'house' | 'awin' | 'shopping' | 'sheet';

/** What a row says beside its name. */
export interface RowFacts {
  readonly colour: string;
  readonly storage: string;
  readonly productId: string;
  readonly gtin: string;
  readonly edition: string;
  readonly version: string;
  readonly network: Reference;
  readonly retailer: Reference;
}

/** A row of a feed with the label of INPUTS. */
export interface Row extends RowFacts {
  readonly feed: FeedName;
  readonly key: string;
  readonly group: string;
  readonly name: string;
  readonly condition: '' | Condition;
  readonly label: Label;
}

const NO_FACTS: RowFacts = {
  colour: '',
  storage: '',
  productId: '',
  gtin: '',
  edition: '',
  version: '',
  network: { name: 'O2', id: '', slug: 'o2' },
  retailer: { name: 'Harbour Mobiles', id: '77001', slug: 'harbour-mobiles' },
};

/** Writes rows until the feeds hold `count` distinct names, as many of each group as can be. */
export function writeRows(catalogue: Catalogue, random: Random, count: number): Row[] {
  const rows: Row[] = [];
  const names = new Set<string>();
  const several = 'several ways at once';
  const groups: readonly (() => Row | undefined)[] = [
    ...Object.keys(WAYS).map((way) => () => plainRow(way, [way])),
    ...[1, 2, 3, 4].map(() => () => plainRow(several, severalWays())),
    ...ID_ROWS.map((of) => () => idRow(of)),
    ...Object.keys(COLUMN_ROWS).map((group) => () => columnRow(group)),
    ...Object.keys(NETWORK_ROWS).map((group) => () => supplierRow(group, 'network', NETWORK_ROWS[group])),
    ...Object.keys(RETAILER_ROWS).map((group) => () => supplierRow(group, 'retailer', RETAILER_ROWS[group])),
    statedRow,
  ];
  // Groups about few phones run out of new names.
  for (let tries = 0; names.size < count && tries < count * 20; tries += 1) {
    const row = groups[tries % groups.length]?.();
    if (row === undefined || names.has(row.name)) continue;
    names.add(row.name);
    rows.push(row);
  }
  return rows;

  function finish(feed: FeedName, group: string, draft: Draft, label: Label, facts: Partial<RowFacts>): Row {
    const key = `${feed.slice(0, 2).toUpperCase()}${10_000_000 + rows.length}`;
    return { ...NO_FACTS, ...facts, feed, key, group, name: textOf(draft), condition: draft.column, label };
  }

  function written(ways: readonly string[]): Draft | undefined {
    const about = ways.flatMap((way) => (WAYS[way]?.of === undefined ? [] : [phonesOf(WAYS[way].of)]));
    const draft = draftName(catalogue, random, (phone) => about.every((phones) => phones.has(phone)));
    if (draft === undefined) return undefined;
    for (const way of ways) if (WAYS[way]?.write(draft, random, catalogue) !== true) return undefined;
    const isAtEnd = ways.some((way) => ['after', 'all'].includes(WAYS[way]?.slot ?? ''));
    if (!isAtEnd && random.isLikely(about.length > 0 ? 0.6 : 0.1)) addColour(draft, random, catalogue);
    return draft;
  }

  function plainRow(group: string, ways: readonly string[]): Row | undefined {
    const draft = written(ways);
    if (draft === undefined) return undefined;
    // The rules are the same for every feed; the others state the condition of each row. `SIM free` in a title of Google
    // Merchant says that there is no contract, which puts the row out of scope.
    const others: readonly FeedName[] = ways.includes('words of the trade') ? ['awin'] : ['awin', 'shopping'];
    const feed = random.isLikely(0.8) ? 'house' : random.pick(others);
    if (feed !== 'house' && draft.column === '' && draft.said.contradiction === undefined) draft.column = 'new';
    return finish(feed, group, draft, judge(draft.said, catalogue.productsByWords), {});
  }

  function severalWays(): string[] {
    const ways = new Map<string, string>();
    const limit = 2 + random.below(3);
    for (const [way, { slot }] of random.shuffled(Object.entries(WAYS))) {
      // Words that match nothing say little beside others.
      if (
        ['all', 'slip', 'none'].includes(slot) ||
        ways.has(slot) ||
        (WORDS.waysToNoMatch.includes(way) && random.isLikely(0.9))
      )
        continue;
      ways.set(slot, way);
      if (ways.size === limit) break;
    }
    return [...ways.values()];
  }

  function idRow({ group, feed, field, write }: IdRow): Row | undefined {
    const product = random.pick(catalogue.products);
    const draft = write(product, catalogue, random);
    if (draft === undefined) return undefined;
    const byName = judge(draft.said, catalogue.productsByWords);
    draft.column = product.condition;
    const id = product[field === 'productId' ? 'id' : field];
    return finish(feed, group, draft, judgeWithId(product, byName, draft.said), { [field]: id });
  }

  function columnRow(group: string): Row | undefined {
    const draft = written([random.isLikely(0.5) ? PLAIN : random.pick(WORDS.waysBesideColumns)]);
    if (draft === undefined) return undefined;
    const { feed, ...facts } = COLUMN_ROWS[group]?.(draft, random) ?? { feed: undefined };
    if (feed === undefined) return undefined;
    if (draft.column === '') draft.column = 'new';
    return finish(feed, group, draft, judge(draft.said, catalogue.productsByWords), facts);
  }

  function supplierRow(
    group: string,
    of: 'network' | 'retailer',
    references: readonly Reference[] = [],
  ): Row | undefined {
    const draft = written([PLAIN]);
    if (draft === undefined) return undefined;
    const reference = random.pick(references);
    const feed = reference.feed ?? 'awin';
    const colour = random.pick(WORDS.shopColours);
    if (feed === 'awin') draft.parts.after = `(${colour})`;
    if (draft.column === '') draft.column = 'new';
    const byName = judge(draft.said, catalogue.productsByWords);
    const none: Label = { kind: 'none', keys: [], rule: 'Networks and retailers' };
    const label = reference.slug === undefined ? none : byName;
    return finish(feed, group, draft, label, { [of]: reference, colour: feed === 'awin' ? colour : '' });
  }

  /** A name that only `matches` of a product states. */
  function statedRow(): Row | undefined {
    const stated = random.pick(catalogue.products.filter((product) => product.stated !== ''));
    const draft = written([PLAIN]);
    if (draft === undefined) return undefined;
    const text = random.pick([stated.stated, stated.stated.toUpperCase(), `${stated.stated} ${random.below(1000)}`]);
    draft.style = () => text;
    draft.column = stated.condition;
    const isWhole = text.toLowerCase() === stated.stated.toLowerCase();
    const label: Label = isWhole
      ? { kind: 'must', keys: [keyOf(stated)], rule: 'Words: a name that matches states' }
      : { kind: 'none', keys: [], rule: 'Words: every other word must agree' };
    return finish('house', 'a name that matches states', draft, label, {});
  }
}

const PLAIN = 'as the maker writes it';

const phonesByWay = new Map<NonNullable<Way['of']>, ReadonlySet<Phone>>();

function phonesOf(of: NonNullable<Way['of']>): ReadonlySet<Phone> {
  const phones = phonesByWay.get(of) ?? new Set(PHONE_LIST.filter(of));
  phonesByWay.set(of, phones);
  return phones;
}
