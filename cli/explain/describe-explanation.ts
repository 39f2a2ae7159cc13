import { findMatchesLine } from '../../data/record/deal.ts';
import { quoteFound } from '../../data/report/notice.ts';
import type { ManifestSource } from '../../data/report/report.ts';
import { createLocationFormatter, type FormatLocation } from '../../data/report/source-location.ts';
import type {
  DealFacts,
  ExplainedAnswer,
  ExplainedDeal,
  ExplainedNotice,
  ExplainedProduct,
  Explanation,
  OtherRecord,
} from '../../server/explain/explanation.ts';

/** How many records of a kind are written out; `--json` has more. */
const SHOWN = 20;

const KINDS = ['products', 'deals', 'others', 'leftOut', 'notices', 'names'] as const;

export function isFound(explanation: Explanation): boolean {
  return KINDS.some((kind) => explanation[kind].count > 0);
}

/** The explanation as lines, a block for each record: from its file and line to the response. */
export function describeExplanation(explanation: Explanation, sources: readonly ManifestSource[]): readonly string[] {
  if (!isFound(explanation)) return describeUnknown(explanation, sources);
  const { target, products, deals, others, leftOut, notices, names } = explanation;
  const writePlace = createLocationFormatter(sources);
  const more = KINDS.reduce((sum, kind) => sum + Math.max(0, explanation[kind].count - SHOWN), 0);
  const blocks = [
    ...products.items.slice(0, SHOWN).map((product) => describeProduct(product, target, writePlace)),
    ...deals.items.slice(0, SHOWN).map((deal) => describeDeal(deal, target, writePlace)),
    ...others.items.slice(0, SHOWN).map((other) => describeOther(other, target)),
    ...leftOut.items.slice(0, SHOWN).map((notice) => describeLeftOut(notice, target, writePlace)),
    ...notices.items.slice(0, SHOWN).map((notice) => [titleOf(notice, writePlace), ...describeNotice(notice)]),
    ...names.items.slice(0, SHOWN).map(describeName),
    ...(more > 0 ? [[`and ${countOf(more, 'more record')}; more words find fewer`]] : []),
  ];
  return blocks.flatMap((lines, position) => [...(position === 0 ? [] : ['']), ...lines]);
}

function describeUnknown({ snapshot, asked, nearest }: Explanation, sources: readonly ManifestSource[]): string[] {
  return [
    `unknown: ${snapshot} has no product, deal, gift, gift category, network, retailer, manufacturer, name of a phone in a feed, code, file and line called ${JSON.stringify(asked)}`,
    ...(nearest.length === 0 ? [] : [`  perhaps ${nearest.join(', ')}`]),
    '  what to try: a part of the name, such as its model without storage and colour; the key of the deal; the file and line; a network, retailer or GTIN as the feed has it',
    `  it was looked for in ${sources.length === 0 ? 'no source' : 'what these sources had:'}`,
    ...sources.map(({ name, adapter, state, freshAt = 'an unknown time', files }) => {
      const [first] = files;
      const rest = files.length > 1 ? ` and ${files.length - 1} more` : '';
      return `    ${name} (${adapter}), ${state}, last fresh at ${freshAt}${first === undefined ? '' : `: ${first.path}${rest}`}`;
    }),
    '  what to do: look for it in these files, which deals check <source> reads as they are now; if it is missing there, ask the supplier of the file; what has come since then is read by the next deals build',
  ];
}

function describeProduct(
  { product, name, dealCount, cheapest, dealsLeftOut, lastDeal, ...served }: ExplainedProduct,
  target: string | undefined,
  writePlace: FormatLocation,
): string[] {
  const counts = dealsLeftOut.map(({ code, count }) => `${count} ${code}`).join(', ');
  return [
    `product ${product} ${JSON.stringify(name)}`,
    ...describeOrigin(served, writePlace),
    `  served: with ${countOf(dealCount, 'deal')}${cheapest === undefined ? '' : `, the cheapest ${describeFacts(cheapest)}`}`,
    ...(counts === '' ? [] : [`  left out of its deals: ${counts}`]),
    ...dealsLeftOut.map(({ code, count, first }) => {
      const named = first.map((deal) => `${deal.record ?? 'without a key'} (${writePlace(deal)})`).join(', ');
      return `    ${code}: ${named}${count > first.length ? ` and ${count - first.length} more` : ''}`;
    }),
    ...(dealCount > 0 || counts !== '' ? [] : ['  no record of a feed is for it']),
    ...(lastDeal === undefined ? [] : [`  last had a deal in ${lastDeal.snapshot}, as of ${lastDeal.at}`]),
    ...describeAnswer(served.answer, target),
  ];
}

function describeDeal(deal: ExplainedDeal, target: string | undefined, writePlace: FormatLocation): string[] {
  const { key, product, name, match, place, dealCount, answer } = deal;
  return [
    `deal ${key} of ${deal.retailer}`,
    ...describeOrigin(deal, writePlace),
    `  matched: ${product} ${JSON.stringify(name)} by ${match.rule} ${JSON.stringify(match.found)}, ${match.meaning}`,
    `  served: ${describeFacts(deal)}; by total cost ${place} of the ${countOf(dealCount, 'deal')} of its product`,
    ...describeAnswer(answer, target),
  ];
}

/** Where a served record was read, whether its source is held, and the notices about it. */
function describeOrigin(
  { origin, held, notices }: Pick<ExplainedProduct, 'origin' | 'held' | 'notices'>,
  writePlace: FormatLocation,
): string[] {
  return [
    `  read: ${writePlace(origin)} of ${origin.source}`,
    ...notices.flatMap(describeNotice),
    ...(held === undefined
      ? []
      : [`  carried forward: ${held.because}; last found in it ${held.since ?? 'at an unknown time'}`]),
  ];
}

function describeFacts({ retailer, network, months, data, upfrontCost, monthlyCost, totalCost }: DealFacts): string {
  return `${upfrontCost} + ${monthlyCost} a month, ${totalCost} in all, ${months} months, ${data}, ${network}, ${retailer}`;
}

function describeOther({ kind, id, slug, name }: OtherRecord, target: string | undefined): string[] {
  return [
    `${kind} ${id ?? slug} ${JSON.stringify(name)}`,
    '  served',
    ...(target === undefined ? [] : [`  ${target} answers with products, and this is neither a product nor a deal`]),
  ];
}

function describeLeftOut(notice: ExplainedNotice, target: string | undefined, writePlace: FormatLocation): string[] {
  const { other } = notice;
  return [
    titleOf(notice, writePlace),
    ...describeNotice(notice),
    ...(other === undefined ? [] : [`  the other: ${other.record} (${writePlace(other)} of ${other.source})`]),
    ...(target === undefined ? [] : ['  in no answer, since it is not served']),
  ];
}

function titleOf(notice: ExplainedNotice, writePlace: FormatLocation): string {
  const { source, file, record, names, retailer } = notice;
  return [
    record === undefined ? 'a record' : `record ${record}`,
    ...(names === undefined ? [] : [JSON.stringify(names.at(-1))]),
    ...(retailer === undefined ? [] : [`of ${retailer}`]),
    file === undefined ? `in ${source}` : `in ${writePlace(notice)} of ${source}`,
  ].join(' ');
}

function describeNotice(notice: ExplainedNotice): string[] {
  const { outcome, code, meaning, field, found, expected, remedy } = notice;
  const subject = field === undefined ? 'found' : `${field} is`;
  const facts = [
    ...(found === undefined ? [] : [`${subject} ${quoteFound(found, notice)}`]),
    ...(found === undefined && field !== undefined && expected !== undefined ? [`${subject} not as it should be`] : []),
    ...(expected === undefined ? [] : [`expected ${expected}`]),
  ].join(', ');
  const matchesLine = findMatchesLine(notice.names?.at(-1) ?? '', remedy);
  return [
    `  ${outcome}: ${code}, ${meaning}`,
    ...(facts === '' ? [] : [`    ${facts}`]),
    `    ${remedy.startsWith('nothing needs to be done') ? remedy : `what to do: ${remedy}`}`,
    ...(matchesLine === undefined ? [] : [`    to copy: ${matchesLine}`]),
  ];
}

function describeName({ feed, name, field, code, dealCount, nearest, remedy }: Explanation['names']['items'][number]) {
  const matchesLine = findMatchesLine(name, remedy);
  return [
    `${field === undefined ? 'name' : field} ${JSON.stringify(name)} without a product: ${countOf(dealCount, 'deal')} of ${feed}`,
    `  ${code}${nearest.length === 0 ? '' : `; the nearest: ${nearest.join(', ')}`}`,
    ...(remedy === undefined ? [] : [`  what to do: ${remedy}`]),
    ...(matchesLine === undefined ? [] : [`  to copy: ${matchesLine}`]),
  ];
}

function describeAnswer(answer: ExplainedAnswer | undefined, target: string | undefined): string[] {
  if (answer === undefined || target === undefined) return [];
  return [
    `  ${answer.isAnswered ? 'in' : 'not in'} the answer to ${target}: ${answer.why}`,
    ...answer.filters.map(({ filter, holds, dealCount }) => {
      const count = dealCount === undefined ? '' : `: ${countOf(dealCount, 'deal')} of it`;
      return `    ${holds ? 'holds' : 'FAILS'} ${filter}${count}`;
    }),
  ];
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
