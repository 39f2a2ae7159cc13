import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { GateResult, HeldPart, SourceReport } from '../../data/report/report.ts';
import { formatLocation } from '../../data/report/source-location.ts';
import { parseGate } from '../gate/gates.ts';
import { isWhole, namePart } from '../gate/compare-feed.ts';
import { findServedSource, type ServedSnapshot } from '../gate/served-snapshot.ts';
import { escapeControls } from '../source/quote.ts';
import { groupBy } from '../source/record.ts';
import type { BuildResult } from './build-result.ts';
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
  readonly gates: readonly GateResult[];
  readonly notices: readonly Notice[];
  readonly served: ServedSnapshot;
  /** What moved, though nothing fails. */
  readonly said: readonly string[];
  readonly maxCarriedMs: number;
  /** The command that accepts some gates. */
  readonly writeAccepting: (gates: readonly GateResult[]) => string;
}

/** What the operator must read, and the commands that accept it, where that can be right. */
type Attention = Pick<BuildResult, 'attention' | 'accept'>;

/**
 * The sentences for the operator about a build that is not refused, causes before consequences: why a source is not served
 * as its file has it, what is served in its place and until when, and what moved. A held feed may be accepted, but not
 * where that would not publish what the file means: most of its records are quarantined, or all of its deals would be lost.
 */
export function listAttention(parts: AttentionParts): Attention {
  const { sources, gates, notices, served, said, maxCarriedMs, writeAccepting } = parts;
  const sentences: string[] = [];
  const accept: Attention['accept'] = [];
  for (const source of sources) {
    const { name, held = [] } = source;
    const causes = [
      ...listUnread(source, notices),
      ...listQuarantined(source, notices, findServedSource(served, name)),
    ];
    sentences.push(...causes, ...describeHoldings(source, causes.length > 0, maxCarriedMs));
    const failed = gates.filter(({ gate, state }) => state === 'held' && parseGate(gate).source === name);
    if (causes.length > 0 || failed.length === 0 || (held.some(isWhole) && failed.some(isAllLost))) continue;
    accept.push({ purpose: `to take ${name} as it is now`, command: writeAccepting(failed) });
  }
  return { attention: [...sentences, ...said].map(escapeControls), accept };
}

/** Why a build is refused: the sources that were not read, else a gate about the CMS, else one about the catalogue. */
export function listRefusal({
  sources,
  gates,
  notices,
  writeAccepting,
}: Pick<AttentionParts, 'sources' | 'gates' | 'notices' | 'writeAccepting'>): Attention {
  const refusals = gates.filter(({ state }) => state === 'refused');
  const isEmpty = refusals.some(({ gate }) => gate === 'no-products');
  // A first build gets no gate about a CMS source without a file.
  const unread = sources.filter(
    ({ name, kind }) => (isEmpty && kind === 'cms') || refusals.some(({ gate }) => gate === `unread:${name}`),
  );
  const causes = unread.flatMap((source) => listUnread(source, notices));
  const first = refusals.find(({ gate }) => parseGate(gate).source !== undefined) ?? refusals[0];
  if (causes.length === 0 && first !== undefined) {
    const { name, source } = parseGate(first.gate);
    causes.push(`${source === undefined ? name : `${name} of ${source}`}, ${first.detail}`);
  }
  const accept = mayAccept(refusals, sources)
    ? [{ purpose: 'to publish all the same', command: writeAccepting(refusals) }]
    : [];
  return { attention: causes.map(escapeControls), accept };
}

/** Accepting cannot be right when a source is not read, or nothing would be left. */
function mayAccept(refusals: readonly GateResult[], sources: readonly SourceReport[]): boolean {
  const feeds = sources.filter(({ kind }) => kind === 'feed');
  if (feeds.length > 0 && feeds.every(({ kept, duplicate }) => kept + duplicate === 0)) return false;
  return refusals.every((refusal) => {
    const { name } = parseGate(refusal.gate);
    if (name === 'unreadable-snapshot') return sources.every(({ state }) => state === 'fresh');
    return name !== 'no-products' && name !== 'unread' && !isAllLost(refusal);
  });
}

function isAllLost({ gate, measured }: GateResult): boolean {
  return parseGate(gate).name === 'lost' && measured === 1;
}

/** Why a source was not read: the file, the line, and one thing to do. */
function listUnread({ name, kind, state }: SourceReport, notices: readonly Notice[]): string[] {
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
function listQuarantined(
  source: SourceReport,
  notices: readonly Notice[],
  before: SourceReport | undefined,
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

/**
 * What is served in the place of the file: a sentence for the parts that fail the same gates, with the reason of the
 * largest. What follows from a cause that was said needs no reason.
 */
function describeHoldings(
  { name, kind, state, held = [] }: SourceReport,
  hasCause: boolean,
  maxCarriedMs: number,
): readonly string[] {
  if (held.length === 0 && kind === 'feed' && state !== 'fresh') {
    return [`Held: ${name}; it has no deals of before, so nothing of it is served`];
  }
  const isFollowing = ({ gates }: HeldPart) => hasCause && gates.every((gate) => FOLLOWING_GATES.has(gate));
  const largestFirst = held.toSorted((a, b) => b.deals - a.deals);
  const groups = groupBy(largestFirst, (part) => [
    `${part.state} ${part.freshAt} ${isFollowing(part) ? '' : part.gates.join(' ')}`,
  ]);
  return Array.from(groups.values(), (parts) => {
    const [largest] = parts as readonly [HeldPart];
    const names = parts.map((part) => namePart(part) || (held.length > 1 ? 'the rest' : ''));
    const more = names.length - MAX_PARTS;
    const what = `${names.slice(0, MAX_PARTS).join(', ')}${more > 0 ? ` and ${more} more parts` : ''}`;
    // The reason names the part, too.
    const reason =
      names.length > 1 ? largest.because : largest.because.replaceAll(`${namePart(largest) || name}: `, '');
    const subject = `${what === '' ? name : `${what} of ${name}`}${isFollowing(largest) ? '' : `, ${reason}`}`;
    const deals = parts.reduce((sum, part) => sum + part.deals, 0);
    const since = writeMinute(Date.parse(largest.freshAt));
    const until = writeMinute(Date.parse(largest.freshAt) + maxCarriedMs);
    return largest.state === 'held'
      ? `Held: ${subject}; its ${deals} deals of ${since} are served until ${until} at the latest`
      : `Withdrawn: ${subject}; its deals of ${since} were served until ${until}`;
  });
}

/** `2026-11-01 02:30`. */
export function writeMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}
