import { formatGigabytes, formatPence } from '../../data/record/amount.ts';
import { findMatchesLine, MATCH_RULE_MEANINGS } from '../../data/record/deal.ts';
import { recordKey } from '../../data/record/product.ts';
import { NOTICES, quoteFound, type Notice, type NoticeCode } from '../../data/report/notice.ts';
import { formatLocation, type SourceLocation } from '../../data/report/source-location.ts';
import type { CatalogueIndex, DealRow, ProductRow } from '../../data/snapshot/catalogue-index.ts';
import type { Plan, ProductLine, ProvenanceLine } from '../../data/snapshot/format.ts';
import type { LoadedSnapshot } from '../snapshot/load-snapshot.ts';
import type { TriedTarget } from './tried-target.ts';

/** A record that was found, as sentences for people. */
export interface ExplainedRecord {
  readonly kind: 'product' | 'deal' | 'left-out' | 'notice';
  /** `product 101/new "Kestrel K9 128GB"`. */
  readonly title: string;
  /** What became of it, from its place in a source to the answer; two spaces before a detail of the line above. */
  readonly lines: readonly string[];
}

interface ServedHit {
  readonly key: string;
  readonly origin: SourceLocation;
  readonly notices: Notice[];
}

export interface ProductHit extends ServedHit {
  readonly row: ProductRow;
  /** The records of feeds for it that are not served, by code: how many, and the first of them. */
  readonly leftOut: Map<NoticeCode, { count: number; readonly first: Notice[] }>;
}

export interface DealHit extends ServedHit {
  readonly row: DealRow;
  readonly product: ProductRow;
  readonly retailer: string;
  /** How it found its product. */
  readonly match: ProvenanceLine['matches'][number];
}

/** Writes what became of each record that was found. */
export class RecordWriter {
  readonly #snapshot: LoadedSnapshot;
  readonly #target: TriedTarget | undefined;

  constructor(snapshot: LoadedSnapshot, target: TriedTarget | undefined) {
    this.#snapshot = snapshot;
    this.#target = target;
  }

  writeProduct(hit: ProductHit): ExplainedRecord {
    const { index } = this.#snapshot;
    const first = index.firstDeal(hit.row);
    const dealCount = index.endOfDeals(hit.row) - first;
    // Deals of a product are in order of total cost.
    const cheapest = dealCount === 0 ? '' : `, the cheapest ${writeFacts(index, first)}`;
    return {
      kind: 'product',
      title: `product ${hit.key} ${JSON.stringify(index.products[hit.row]?.name)}`,
      lines: [
        ...this.#writeOrigin(hit),
        `served: with ${countOf(dealCount, 'deal')}${cheapest}`,
        ...this.#writeLeftOutDeals(hit),
        ...(dealCount > 0 || hit.leftOut.size > 0 ? [] : ['no record of a feed is for it']),
        ...this.#writeAnswer(hit.row),
      ],
    };
  }

  writeDeal(hit: DealHit): ExplainedRecord {
    const { index } = this.#snapshot;
    const { row, product, match } = hit;
    const { name, ...owner } = index.products[product] as ProductLine;
    const first = index.firstDeal(product);
    const dealCount = countOf(index.endOfDeals(product) - first, 'deal');
    return {
      kind: 'deal',
      title: `deal ${hit.key} of ${hit.retailer}`,
      lines: [
        ...this.#writeOrigin(hit),
        ...this.#writeHeldPart(hit),
        `matched: ${recordKey(owner)} ${JSON.stringify(name)} by ${match.rule} ${JSON.stringify(match.found)}, ${MATCH_RULE_MEANINGS[match.rule]}`,
        `served: ${writeFacts(index, row)}; by total cost ${row - first + 1} of the ${dealCount} of its product`,
        ...this.#writeAnswer(product, row),
      ],
    };
  }

  /** A record that is left out, or a notice about a record that is not among those found. */
  writeNotice(kind: 'left-out' | 'notice', notice: Notice): ExplainedRecord {
    const { source, file, record, names, retailer, other } = notice;
    const title = [
      record === undefined ? 'a record' : `record ${record}`,
      ...(names === undefined ? [] : [JSON.stringify(names.at(-1))]),
      ...(retailer === undefined ? [] : [`of ${retailer}`]),
      file === undefined ? `in ${source}` : `in ${formatLocation(notice)} of ${source}`,
    ];
    return {
      kind,
      title: title.join(' '),
      lines: [
        ...writeNotice(notice),
        ...(other === undefined ? [] : [`the other: ${other.record} (${formatLocation(other)} of ${other.source})`]),
        ...(this.#target === undefined || kind === 'notice' ? [] : ['in no answer, since it is not served']),
      ],
    };
  }

  /** Where a served record was read, the notices about it, and whether its source is held. */
  #writeOrigin({ origin, notices }: ServedHit): readonly string[] {
    const source = this.#snapshot.manifest.sources.find(({ name }) => name === origin.source);
    const { freshAt = 'at an unknown time', held: [part] = [] } = source ?? {};
    return [
      `read: ${formatLocation(origin)} of ${origin.source}`,
      ...notices.flatMap(writeNotice),
      ...(source?.state === 'carried-forward'
        ? [`carried forward: its source ${part?.because}; last found in it ${freshAt}`]
        : []),
    ];
  }

  /** Why a deal is served as it was before: the part of its feed to which it belongs is held. */
  #writeHeldPart({ origin, retailer, row }: DealHit): readonly string[] {
    const { manifest, index } = this.#snapshot;
    const network = index.networks[index.plans[index.deals.plan.at(row)]?.network ?? -1]?.slug;
    const { state, held = [] } = manifest.sources.find(({ name }) => name === origin.source) ?? {};
    const part = held.find((each) => (each.retailer ?? retailer) === retailer && (each.network ?? network) === network);
    return part === undefined || state !== 'fresh'
      ? []
      : [`held: ${part.because}; last found in its source ${part.freshAt}`];
  }

  #writeLeftOutDeals({ leftOut }: ProductHit): readonly string[] {
    const byCode = [...leftOut].sort(([, a], [, b]) => b.count - a.count);
    if (byCode.length === 0) return [];
    return [
      `left out of its deals: ${byCode.map(([code, { count }]) => `${count} ${code}`).join(', ')}`,
      ...byCode.map(([code, { count, first }]) => {
        const named = first.map((notice) => `${notice.record ?? 'without a key'} (${formatLocation(notice)})`);
        return `  ${code}: ${named.join(', ')}${count > first.length ? ` and ${count - first.length} more` : ''}`;
      }),
    ];
  }

  #writeAnswer(product: ProductRow, deal?: DealRow): readonly string[] {
    const target = this.#target;
    if (target === undefined) return [];
    const { isAnswered, why, filters } = target.tryRecord(product, deal);
    return [
      `${isAnswered ? 'in' : 'not in'} the answer to ${target.text}: ${why}`,
      ...filters.map(({ filter, holds, dealCount }) => {
        const count = dealCount === undefined ? '' : `: ${countOf(dealCount, 'deal')} of it`;
        return `  ${holds ? 'holds' : 'FAILS'} ${filter}${count}`;
      }),
    ];
  }
}

function writeNotice(notice: Notice): readonly string[] {
  const { code, field, found, expected } = notice;
  const { outcome, meaning, remedy: usualRemedy } = NOTICES[code];
  const { remedy = usualRemedy } = notice;
  const subject = field === undefined ? 'found' : `${field} is`;
  const facts = [
    ...(found === undefined ? [] : [`${subject} ${quoteFound(found, notice)}`]),
    ...(found === undefined && field !== undefined && expected !== undefined ? [`${subject} not as it should be`] : []),
    ...(expected === undefined ? [] : [`expected ${expected}`]),
  ].join(', ');
  const matchesLine = findMatchesLine(notice.names?.at(-1) ?? '', remedy);
  return [
    `${outcome}: ${code}, ${meaning}`,
    ...(facts === '' ? [] : [`  ${facts}`]),
    `  ${remedy.startsWith('nothing needs to be done') ? remedy : `what to do: ${remedy}`}`,
    ...(matchesLine === undefined ? [] : [`  to copy: ${matchesLine}`]),
  ];
}

/** What a deal costs and offers, as responses show it. */
function writeFacts({ deals, plans, networks, retailers }: CatalogueIndex, row: DealRow): string {
  // Plans, networks and retailers were checked when the snapshot was opened.
  const { network, contractMonths, dataMegabytes } = plans[deals.plan.at(row)] as Plan;
  const [upfront, monthly, total] = [deals.upfrontPence, deals.monthlyPence, deals.totalPence].map((column) =>
    formatPence(column.at(row)),
  );
  const data = dataMegabytes === 'unlimited' ? dataMegabytes : `${formatGigabytes(dataMegabytes)} GB`;
  const suppliers = `${networks[network]?.slug}, ${retailers[deals.retailer.at(row)]?.slug}`;
  return `${upfront} + ${monthly} a month, ${total} in all, ${contractMonths} months, ${data}, ${suppliers}`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
