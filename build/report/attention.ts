import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { GateResult, HeldPart, SourceReport } from '../../data/report/report.ts';
import { createLocationFormatter, type FormatLocation } from '../../data/report/source-location.ts';
import { parseGate } from '../gate/gates.ts';
import { namePart } from '../gate/compare-feed.ts';
import { findServedSource, type ServedSnapshot } from '../gate/served-snapshot.ts';
import { escapeControls } from '../source/quote.ts';
import { groupBy } from '../source/record.ts';
import { describeFinding } from './describe-notice.ts';

/** Fewer quarantined records than this share are no cause of anything. */
const MIN_SHARE = 0.05;

/** So many more than before are, also where nothing is held; of fewer records a share says nothing. */
const MANY = 0.2;
const MIN_ROWS = 20;

const MAX_CAUSES = 3;
const MAX_PARTS = 5;

/** Notices about the outcome of a source, without its cause. */
const OUTCOME_CODES: ReadonlySet<Notice['code']> = new Set(['carried-forward', 'not-carried', 'withdrawn']);

/** What a part fails when its records are quarantined. */
const FOLLOWING_GATES: ReadonlySet<string> = new Set(['lost', 'quarantined']);

interface AttentionParts {
  readonly sources: readonly SourceReport[];
  readonly notices: readonly Notice[];
  readonly served: ServedSnapshot;
  /** What moved, though nothing fails. */
  readonly said: readonly string[];
  readonly maxCarriedMs: number;
}

/**
 * The sentences for the operator about a build that is not refused, causes before consequences: why a source is not served
 * as its file has it, what is served in its place and until when, and what moved.
 */
export function listAttention({ sources, notices, served, said, maxCarriedMs }: AttentionParts): readonly string[] {
  const formatLocation = createLocationFormatter(sources);
  return sources
    .flatMap((source) => {
      const earlier = findServedSource(served, source.name);
      const causes = [...listUnread(source, notices), ...listQuarantined(source, notices, formatLocation, earlier)];
      return [...causes, ...describeHoldings(source, causes.length > 0, maxCarriedMs)];
    })
    .concat(said)
    .map(escapeControls);
}

/** Why a build is refused: the sources that were not read, else the worst of its gates. */
export function listRefusalCauses(
  gates: readonly GateResult[],
  sources: readonly SourceReport[],
  notices: readonly Notice[],
): readonly string[] {
  const refusals = gates.filter(({ state }) => state === 'refused');
  const isEmpty = refusals.some(({ gate }) => gate === 'no-products');
  // A first build gets no gate about a CMS source without a file.
  const unread = sources.filter(
    ({ name, kind }) => (isEmpty && kind === 'cms') || refusals.some(({ gate }) => gate === `unread:${name}`),
  );
  const [worst] = refusals.toSorted((a, b) => rankOf(a) - rankOf(b) || excessOf(b) - excessOf(a));
  if (worst === undefined) return [];
  const causes = unread.flatMap((source) => listUnread(source, notices));
  if (causes.length > 0) return causes.map(escapeControls);
  const { name, source } = parseGate(worst.gate);
  return [escapeControls(`${source === undefined ? name : `${name} of ${source}`}, ${worst.detail}`)];
}

/** What follows from a source that is not read is no cause. */
function rankOf({ gate }: GateResult): number {
  return ['unreadable-snapshot', 'unread', 'no-products', 'currency'].indexOf(parseGate(gate).name) + 1 || 9;
}

/** A measure as a multiple of its limit; a refusal without a measure is beyond any. */
function excessOf({ measured, limit }: GateResult): number {
  if (measured === undefined || limit === undefined) return Number.MAX_VALUE;
  return Math.min(Number.MAX_VALUE, measured / limit);
}

/** Why a source was not read: the file, the line, and one thing to do. */
function listUnread({ name, kind, state }: SourceReport, notices: readonly Notice[]): readonly string[] {
  if (state === 'fresh') return [];
  // What ended the reading is noted last.
  const unread = notices.findLast(
    ({ source, code }) => source === name && NOTICES[code].outcome === 'source' && !OUTCOME_CODES.has(code),
  );
  if (unread === undefined || state === 'absent' || unread.code === 'source-missing') {
    const wanted = unread?.expected === undefined ? '' : `: expected ${unread.expected}`;
    return [`Missing: ${name} has no file${wanted}; ${NOTICES['source-missing'].remedy}`];
  }
  const found = unread.found ?? name;
  // Most sentences end with what to do.
  if (found.includes('; ')) return [`Not read: ${found}`];
  const remedy = kind === 'cms' ? 'correct it there, or export it again' : NOTICES[unread.code].remedy;
  return [`Not read: ${found}; ${remedy}`];
}

/** What most of the quarantined records of a source have in common, when they are held, or many more than before. */
export function listQuarantined(
  source: SourceReport,
  notices: readonly Notice[],
  formatLocation: FormatLocation,
  before?: SourceReport,
): readonly string[] {
  if (source.state !== 'fresh') return [];
  const inScope = source.read - source.outOfScope;
  const shareBefore = before === undefined ? 0 : before.quarantined / Math.max(1, before.read - before.outOfScope);
  const isMany = source.quarantined > inScope * (shareBefore + MANY) || source.quarantined === inScope;
  if ((source.held ?? []).length === 0 && !(inScope >= MIN_ROWS && isMany)) return [];
  const quarantined = notices.filter(
    (notice) => notice.source === source.name && NOTICES[notice.code].outcome === 'quarantined',
  );
  // Records with an unknown name share it; others share the rule.
  const groups = groupBy(quarantined, (notice) => [
    `${notice.code} ${notice.field ?? ''} ${isUnknownName(notice) ? (notice.found ?? '') : ''}`,
  ]);
  return [...groups.values()]
    .filter((group) => group.length > inScope * MIN_SHARE)
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_CAUSES)
    .map((group) => {
      const [first] = group as readonly [Notice];
      const what = `${group.length} records of ${source.name}, the first at ${formatLocation(first)}`;
      const field = first.field === undefined ? '' : `${first.field}: `;
      return `Quarantined: ${what}: ${field}${describeFinding(first, isUnknownName(first) ? '' : ' and the like')}`;
    });
}

function isUnknownName({ code }: Notice): boolean {
  return code.startsWith('unknown-');
}

/** What is served in the place of the file. What follows from a cause that was said is only counted. */
function describeHoldings(
  { name, kind, state, held = [] }: SourceReport,
  hasCause: boolean,
  maxCarriedMs: number,
): readonly string[] {
  if (held.length === 0 && kind === 'feed' && state !== 'fresh') {
    return [`Held: ${name}; it has no deals of before, so nothing of it is served`];
  }
  const isFollowing = ({ gates }: HeldPart) => hasCause && gates.every((gate) => FOLLOWING_GATES.has(gate));
  const parts = held.toSorted((a, b) => b.deals - a.deals);
  const own = parts.filter((part) => !isFollowing(part));
  const following = groupBy(parts.filter(isFollowing), (part) => [`${part.state} ${part.freshAt}`]);
  const sentences = own.map((part) => describeHolding(name, [part], held.length, maxCarriedMs, part.because));
  const more = own.length - MAX_PARTS;
  return [
    ...[...following.values()].map((group) => describeHolding(name, group, held.length, maxCarriedMs)),
    ...sentences.slice(0, MAX_PARTS),
    ...(more > 0 ? [`and ${more} more parts of ${name}, all in last-build.json`] : []),
  ];
}

/** `parts` have the same state and age; `partCount` is of all parts of the feed. */
function describeHolding(
  feed: string,
  parts: readonly HeldPart[],
  partCount: number,
  maxCarriedMs: number,
  because?: string,
): string {
  const [{ state, freshAt }] = parts as readonly [HeldPart];
  const names = parts.map(namePart);
  const shown = names.filter((name) => name !== '').slice(0, MAX_PARTS);
  if (partCount > 1 && names.includes('')) shown.push('the rest');
  const more = names.length - shown.length;
  const what = `${shown.join(', ')}${partCount > 1 && more > 0 ? ` and ${more} more parts` : ''}`;
  const of = what === '' ? feed : `${what} of ${feed}`;
  // The reason names the part, too.
  const why = because === undefined ? '' : `, ${because.replaceAll(`${names[0] || feed}: `, '')}`;
  const deals = parts.reduce((sum, part) => sum + part.deals, 0);
  const since = writeMinute(Date.parse(freshAt));
  const until = writeMinute(Date.parse(freshAt) + maxCarriedMs);
  return state === 'held'
    ? `Held: ${of}${why}; its ${deals} deals of ${since} are served until ${until} at the latest`
    : `Withdrawn: ${of}${why}; its deals of ${since} were served until ${until}`;
}

/** `2026-11-01 02:30`. */
function writeMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}
