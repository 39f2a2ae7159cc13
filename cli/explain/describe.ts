import type { ChangedName } from './find-again.ts';
import { NOTICES, quoteFound } from '../../data/report/notice.ts';
import type { ManifestSource } from '../../data/report/report.ts';
import type { FormatLocation } from '../../data/report/source-location.ts';
import type { Counted, FoundName, NameOutcome } from '../../data/store/name-search.ts';
import type { FilterResult } from '../../server/explain/evaluate-filters.ts';
import type { DealListing } from '../../server/explain/explain-deal.ts';
import type { CheapestRule } from '../../server/explain/explain-product.ts';
import type { RepresentativeRule } from '../../server/query/execute-products.ts';
import type { ExplainedAnswer, ExplainedCheapest, ExplainedClause, NamedDeal } from './answer.ts';
import type { ExplainedNotice, ExplainedRecord } from './record.ts';

/** A snapshot and the time when it was published. */
export interface DatedSnapshot {
  readonly snapshot: string;
  readonly createdAt: string;
}

/** The last snapshot with a record or a name of a feed, its outcome there, and what happened to its source since. */
export interface LastSeen extends DatedSnapshot {
  readonly record?: ExplainedRecord;
  readonly name?: FoundName;
  readonly since?: string;
  /** The first snapshot without it. Absent for a renamed record. */
  readonly goneSince?: DatedSnapshot;
  /** The earlier and the new name of a renamed record. */
  readonly changed?: readonly ChangedName[];
}

/** The last snapshot with a product whose slug or name was exactly the text asked for. */
export interface EarlierProduct extends DatedSnapshot {
  /** `101/new`. */
  readonly product: string;
}

const SHOWN_DEALS = 3;

const SHOWN_FILES = 3;

interface ReadSource extends Pick<ManifestSource, 'name' | 'adapter' | 'state' | 'freshAt'> {
  /** Relative to the configuration. */
  readonly files: readonly string[];
}

type AnsweredRecord = ExplainedRecord & { readonly answer?: ExplainedAnswer };

export interface Explanation {
  readonly snapshot: string;
  readonly asked: string;
  readonly target?: string;
  /** The records that may have been meant, and how many more there are. */
  readonly records: readonly AnsweredRecord[];
  readonly more: number;
  /** Names of feeds that are, or contain, the text asked for. */
  readonly names: Counted<FoundName>;
  /** The record is in an older snapshot and not in this one, or in this one under another name (`records`). */
  readonly lastSeen?: LastSeen;
  /** The records only contain the text; this product had it as its slug or name. */
  readonly earlier?: EarlierProduct;
  /** Similar records, when no snapshot has the record. */
  readonly nearest?: readonly string[];
  /** The sources without the record. */
  readonly sources?: readonly ReadSource[];
}

export interface ExplanationContext {
  readonly formatLocation: FormatLocation;
  readonly checkCommand: string;
}

/**
 * The explanation as lines: each record from its file and line to the response. Several products that only contain the
 * word get one line each.
 */
export function describeExplanation(explanation: Explanation, context: ExplanationContext): readonly string[] {
  const { snapshot, target, asked, records, more, names, lastSeen, earlier } = explanation;
  const { formatLocation } = context;
  const [again] = records;
  if (lastSeen !== undefined && again === undefined) return describeLastSeen(snapshot, lastSeen, formatLocation);
  if (records.length + names.count === 0) return describeNeverSeen(explanation, context);
  const isBrief = (record: AnsweredRecord): boolean =>
    record.isPart === true && record.answer === undefined && records.length > 1;
  const blocks = [
    lastSeen === undefined || again === undefined ? [] : describeRenamed(asked, lastSeen, again),
    earlier === undefined ? [] : [describeEarlier(asked, earlier)],
    ...records
      .filter((record) => !isBrief(record))
      .map((record) => [
        ...describeRecord(record, formatLocation),
        ...(record.answer === undefined
          ? describeNoAnswer(record, target)
          : describeAnswer(record.answer, target ?? '')),
      ]),
    records.filter(isBrief).map((record) => `${titleOf(record)}: ${countOf(record.dealCount ?? 0, 'deal')}`),
    more > 0 ? [`and ${countOf(more, 'more record')}; a longer word finds fewer`] : [],
    ...names.items.map(describeName),
    names.count > names.items.length
      ? [`and ${countOf(names.count - names.items.length, 'more name')} of feeds; a longer word finds fewer`]
      : [],
  ].filter((lines) => lines.length > 0);
  return blocks.flatMap((lines, position) => [...(position === 0 ? [] : ['']), ...lines]);
}

function describeName({ feed, name, field, dealCount, outcomes, expected, remedy, matchesLine }: FoundName): string[] {
  const deals = `${feed} has ${countOf(dealCount, 'deal')}`;
  return [
    field === undefined
      ? `${JSON.stringify(name)}: ${deals} under this name`
      : `${field} ${JSON.stringify(name)}: ${deals} with it`,
    ...outcomes.map((outcome) => `  ${describeOutcome(outcome)}`),
    ...(expected === undefined ? [] : [`  expected: ${expected}`]),
    ...(remedy === undefined ? [] : [`  ${describeRemedy(remedy)}`]),
    ...(matchesLine === undefined ? [] : [`  to copy: ${matchesLine}`]),
  ];
}

function describeOutcome({ code, product, count }: NameOutcome): string {
  const owner = product === undefined ? '' : ` of ${product}`;
  if (code === 'served') return `${count} served${owner}`;
  return `${count} ${NOTICES[code].outcome}${owner}: ${code}, ${NOTICES[code].meaning}`;
}

function describeRemedy(remedy: string): string {
  return remedy.startsWith('nothing needs to be done') ? remedy : `what to do: ${remedy}`;
}

function describeLastSeen(
  snapshot: string,
  { snapshot: last, createdAt, record, name, since = '', goneSince }: LastSeen,
  writePlace: FormatLocation,
): string[] {
  const isServed = record?.outcome === 'served' || record?.outcome === 'carried-forward';
  const title = record === undefined ? JSON.stringify(name?.name) : titleOf(record);
  const block = [
    ...(record === undefined ? [] : describeRecord(record, writePlace)),
    ...(name === undefined ? [] : describeName(name)),
  ];
  return [
    `${isServed ? 'withdrawn' : 'gone'}: ${title} is not in ${snapshot}; last seen in ${last}, published ${createdAt}`,
    ...(goneSince === undefined ? [] : [`  gone since ${goneSince.snapshot}, published ${goneSince.createdAt}`]),
    `  since then: ${since}`,
    ...block.map((line) => `  ${line}`),
  ];
}

function describeEarlier(asked: string, { snapshot, createdAt, product }: EarlierProduct): string {
  return `${JSON.stringify(asked)} was the name or slug of product ${product} in ${snapshot}, published ${createdAt}; deals explain ${product} tells what became of it`;
}

function describeRenamed(
  asked: string,
  { snapshot: last, createdAt, changed = [] }: LastSeen,
  { kind, record = '' }: ExplainedRecord,
): string[] {
  return [
    `${kind} ${record} is called ${JSON.stringify(asked)} no longer: it was in ${last}, published ${createdAt}`,
    ...changed.map(
      ({ field, before, after }) => `  its ${field} changed from ${JSON.stringify(before)} to ${JSON.stringify(after)}`,
    ),
  ];
}

function describeNeverSeen(
  { snapshot, asked, nearest = [], sources = [] }: Explanation,
  { checkCommand }: ExplanationContext,
): string[] {
  return [
    `never seen: ${snapshot} and the snapshots before it in the store know no product, deal, gift, gift category, network, retailer, manufacturer, name of a phone in a feed, file and line called ${JSON.stringify(asked)}`,
    ...(nearest.length === 0 ? [] : [`  perhaps ${nearest.join(', ')}`]),
    '  what to try: a part of the name, such as its model without storage and colour; the key of the deal; the file and line; a network, retailer or GTIN as the feed has it',
    `  it was looked for in ${sources.length === 0 ? 'no source' : 'what these sources had:'}`,
    ...sources.map((source) => `    ${describeReadSource(source)}`),
    `  what to do: look for it in their files, which ${checkCommand} shows as they are read now; if it is missing there, ask the supplier of the file; what has come since then is read by the next deals build`,
  ];
}

const UNREAD_STATES = {
  'carried-forward': 'held',
  failed: 'nothing of it is served',
  absent: 'no file',
} as const satisfies Record<Exclude<ManifestSource['state'], 'fresh'>, string>;

function describeReadSource({ name, adapter, state, freshAt, files }: ReadSource): string {
  const others = files.length - SHOWN_FILES;
  const named = `${files.slice(0, SHOWN_FILES).join(', ')}${others > 0 ? ` and ${others} more files` : ''}`;
  const label = `${name} (${adapter})`;
  if (state === 'fresh') return `${label}, read at ${freshAt ?? 'an unknown time'}: ${named}`;
  return `${label}, ${UNREAD_STATES[state]}${freshAt === undefined ? '' : `, last fresh at ${freshAt}`}${named === '' ? '' : `: ${named}`}`;
}

function describeRecord(record: ExplainedRecord, writePlace: FormatLocation): string[] {
  const { origin, match, leftOutBy, notices, other, outcome } = record;
  return [
    titleOf(record),
    ...(origin === undefined ? [] : [`  read: ${writePlace(origin)} of ${origin.source}`]),
    ...(match === undefined
      ? []
      : [`  matched: ${match.product} by ${match.rule} ${JSON.stringify(match.found)}, ${match.meaning}`]),
    ...notices.flatMap((notice) => describeNotice('notice', notice)),
    ...describeHeld(record),
    ...(leftOutBy === undefined ? [] : describeNotice(outcome, leftOutBy)),
    ...describeServed(record, writePlace),
    ...(other === undefined ? [] : ['  the other:', ...describeRecord(other, writePlace).map((line) => `    ${line}`)]),
  ];
}

function titleOf({ kind, record, name, retailer }: ExplainedRecord): string {
  return [
    kind,
    record ?? 'without a name',
    ...(name === undefined ? [] : [JSON.stringify(name)]),
    ...(retailer === undefined ? [] : [`of ${retailer}`]),
  ].join(' ');
}

function describeHeld({ outcome, freshAt, heldBecause }: ExplainedRecord): string[] {
  if (outcome !== 'carried-forward') return [];
  const reason = heldBecause ?? 'its source could not be read';
  return [`  carried forward: ${reason}; last found in it ${freshAt ?? 'at an unknown time'}`];
}

function describeServed(
  { kind, dealCount, dealsLeftOut = [], lastDeal, place, outcome }: ExplainedRecord,
  writePlace: FormatLocation,
): string[] {
  if (dealCount !== undefined) {
    return [
      `  served: with ${countOf(dealCount, 'deal')}`,
      ...(dealsLeftOut.length === 0 ? [] : [`  left out of its deals: ${dealsLeftOut.map(describeCount).join(', ')}`]),
      ...dealsLeftOut.map(({ code, count, deals }) => {
        const shown = deals
          .slice(0, SHOWN_DEALS)
          .map((deal) => `${deal.record ?? 'without a key'} (${writePlace(deal)})`);
        return `    ${code}: ${shown.join(', ')}${count > shown.length ? ` and ${count - shown.length} more` : ''}`;
      }),
      ...(dealCount > 0 || dealsLeftOut.length > 0 ? [] : ['  no record of a feed is for it']),
      ...(lastDeal === undefined ? [] : [`  last had a deal in ${lastDeal.snapshot}, as of ${lastDeal.at}`]),
    ];
  }
  if (place === undefined) return outcome === 'served' && kind !== 'deal' ? ['  served'] : [];
  const { inProduct, dealCount: all, inCatalogue } = place;
  return [
    `  served: by total cost ${inProduct} of the ${countOf(all, 'deal')} of its product, ${inCatalogue} of the catalogue`,
  ];
}

function describeCount({ code, count }: { readonly code: string; readonly count: number }): string {
  return `${count} ${code}`;
}

function describeNotice(outcome: string, notice: ExplainedNotice): string[] {
  const { code, meaning, field, found, expected, remedy } = notice;
  const subject = field === undefined ? 'found' : `${field} is`;
  const facts = [
    ...(found === undefined ? [] : [`${subject} ${quoteFound(found, notice)}`]),
    ...(found === undefined && field !== undefined && expected !== undefined ? [`${subject} not as it should be`] : []),
    ...(expected === undefined ? [] : [`expected ${expected}`]),
  ].join(', ');
  return [
    `  ${outcome}: ${code}, ${meaning}`,
    ...(facts === '' ? [] : [`    ${facts}`]),
    `    ${describeRemedy(remedy)}`,
  ];
}

function describeNoAnswer({ outcome }: ExplainedRecord, target: string | undefined): string[] {
  if (target === undefined) return [];
  return outcome === 'served'
    ? [`  ${target} answers with products, and this is neither a product nor a deal`]
    : ['  in no answer, since it is not served'];
}

function describeAnswer(answer: ExplainedAnswer, target: string): string[] {
  const { isAnswered, isProductAnswered, product, clauses, deal, cheapestDeal, isCheapestDealShown } = answer;
  return [
    `  ${isAnswered ? 'in' : 'not in'} the answer to ${target}`,
    ...(deal === undefined ? [] : [`    its product ${product} is ${isProductAnswered ? 'there' : 'not there'}:`]),
    ...clauses.flatMap(describeClause).map((line) => `    ${line}`),
    ...(deal === undefined ? [] : deal.filters.map((filter) => `    ${describeFilterResult(filter)}`)),
    ...(deal === undefined ? [] : [`    deals: ${describeListing(deal.listing)}`]),
    ...describeCheapest(cheapestDeal, isCheapestDealShown).map((line) => `    ${line}`),
    ...(deal?.isCheapest === true ? ['    it is the cheapest deal of its product'] : []),
  ];
}

function describeClause(clause: ExplainedClause): string[] {
  const mark = markOf(clause.holds, clause.keepsOut);
  switch (clause.kind) {
    case 'path':
      return [`${mark} /products/${clause.wanted}/: the id is ${clause.actual}`];
    case 'filter':
      return [describeFilterResult(clause)];
    case 'deals': {
      const { qualifyingCount, dealCount, filters, nearest } = clause;
      return [
        `${mark} deal filters: ${qualifyingCount} of ${countOf(dealCount, 'deal')} satisfy all of them`,
        ...filters.map(
          ({ parameter, clause: text, satisfiedBy }) => `  ${parameter}=${text}: ${satisfiedBy} of ${dealCount}`,
        ),
        ...(nearest === undefined
          ? []
          : [
              `  the nearest is ${describeDeal(nearest.deal)}`,
              ...nearest.failed.map((each) => `    ${describeFilterResult(each)}`),
            ]),
      ];
    }
    case 'grouped':
      return [
        clause.rule === undefined
          ? `${mark} grouped: it represents model ${clause.model}`
          : `${mark} grouped: ${clause.representative} represents model ${clause.model}, since it ${REPRESENTATIVE_REASONS[clause.rule]}`,
      ];
    case 'page': {
      const { position, totalCount, page, positionOnPage, shownFrom, shownTo } = clause;
      return [
        `${mark} page: product ${position} of ${totalCount}, ${positionOnPage} on page ${page}; this answer shows ${shownFrom} to ${shownTo}`,
      ];
    }
  }
}

function describeFilterResult({ parameter, clause, actual, holds }: FilterResult): string {
  return `${markOf(holds, !holds)} ${parameter}=${clause}: it has ${actual}`;
}

function markOf(holds: boolean, isDecisive: boolean): string {
  if (holds) return 'holds';
  return isDecisive ? 'FAILS' : 'fails, and does not matter here:';
}

const REPRESENTATIVE_REASONS = {
  'qualifying-deal': 'has a deal that qualifies, and this one has none',
  'new-first': 'is new, and this one is refurbished',
  'total-cost': 'has the cheaper deal',
  'lowest-id': 'has the lower id',
} as const satisfies Record<RepresentativeRule, string>;

const CHEAPEST_REASONS = {
  'total-cost': 'total cost',
  'upfront-cost': 'upfront cost, the total being the same',
  'contract-price': 'monthly cost, total and upfront cost being the same',
  'retailer-id': 'the id of the retailer, all costs being the same',
  'key-or-feed': 'deal key or name of the feed, costs and retailer being the same',
} as const satisfies Record<CheapestRule, string>;

function describeCheapest(cheapest: ExplainedCheapest | undefined, isShown: boolean): string[] {
  if (cheapest === undefined) return [];
  const { deal, runnerUp } = cheapest;
  return [
    `cheapest deal that qualifies${isShown ? ', and shown' : ''}: ${describeDeal(deal)}`,
    runnerUp === undefined
      ? '  no other qualifies'
      : `  before ${describeDeal(runnerUp.deal)} by ${CHEAPEST_REASONS[runnerUp.rule]}`,
  ];
}

function describeListing(listing: DealListing): string {
  switch (listing.kind) {
    case 'not-expanded':
      return 'not asked for; expand=products(deals) shows them';
    case 'product-not-answered':
      return 'not there, since its product is not';
    case 'filtered':
      return 'not there, since a filter refuses it';
    case 'cut':
      return `not there: number ${listing.placeInProduct} of the ${listing.qualifyingCount} of its product that qualify, and limit=deals(${listing.perProduct}) keeps the first ${listing.perProduct}`;
    case 'listed':
      return `number ${listing.position} of ${listing.count}, and ${listing.placeInProduct} of the ${listing.qualifyingCount} of its product`;
  }
}

function describeDeal({ retailer, key, file, line, upfrontCost, monthlyCost, totalCost }: NamedDeal): string {
  return `${retailer}:${key} (${file}:${line}) at ${upfrontCost} + ${monthlyCost} a month, ${totalCost} in all`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
