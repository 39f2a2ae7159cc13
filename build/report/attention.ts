import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { GateResult, ManifestSource, SourceReport } from '../../data/report/report.ts';
import { describeHeldBy, parseGate } from '../gate/held-feeds.ts';
import { escapeControls } from '../source/quote.ts';

/** Notices about the outcome of a source, without its cause. */
const OUTCOME_CODES: readonly Notice['code'][] = ['carried-forward', 'not-carried', 'withdrawn'];

export interface AttentionParts {
  readonly sources: readonly ManifestSource[];
  readonly gates: readonly GateResult[];
  readonly notices: readonly Notice[];
  readonly maxCarriedMs: number;
}

/**
 * One sentence for each source that is not fresh, or has many price jumps: an operator must look at it, although the
 * build is published. The next build takes the prices that it finds again.
 */
export function listAttention({ sources, gates, notices, maxCarriedMs }: AttentionParts): readonly string[] {
  return sources
    .flatMap((source) =>
      source.state === 'fresh'
        ? describeJumps(source, notices)
        : [describeSource(source, describeCause(source, gates, notices), maxCarriedMs)],
    )
    .map((sentence) => escapeControls(sentence));
}

/** So many prices of one source do not jump in a day: perhaps pence became pounds. */
const MIN_JUMPS = 20;
const MIN_JUMPED_SHARE = 0.01;

function describeJumps({ name, kept }: ManifestSource, notices: readonly Notice[]): readonly string[] {
  const count = notices.filter(({ source, code }) => source === name && code === 'price-jump').length;
  if (count < MIN_JUMPS || count < kept * MIN_JUMPED_SHARE) return [];
  return [
    `Held out: ${count} deals of ${name} by price-jump; the next build serves those whose price is the same again, so look before it runs`,
  ];
}

function describeSource({ kind, state, kept, freshAt }: ManifestSource, cause: string, maxCarriedMs: number): string {
  if (kind === 'feed' && freshAt !== undefined) {
    const until = writeMinute(Date.parse(freshAt) + maxCarriedMs);
    const since = writeMinute(Date.parse(freshAt));
    if (state === 'carried-forward') return `Held: ${cause}; its ${kept} deals of ${since} are served until ${until}`;
    return `Withdrawn: ${cause}; its deals of ${since} could be served until ${until}`;
  }
  return `${state === 'absent' ? 'Missing' : 'Held'}: ${cause}; nothing of it is served`;
}

/** `lost-deals of shop, 72 of 142 (50.7 %, at most 10 %)`, or what could not be read. */
function describeCause(
  { name, state }: SourceReport,
  gates: readonly GateResult[],
  notices: readonly Notice[],
): string {
  const [first, ...others] = gates.filter((gate) => gate.state === 'held' && parseGate(gate.gate).source === name);
  if (first !== undefined)
    return [describeGate(first), ...(others.length > 0 ? [describeHeldBy(others)] : [])].join('; ');
  const unread = notices.find(
    ({ source, code }) => source === name && NOTICES[code].outcome === 'source' && !OUTCOME_CODES.includes(code),
  );
  const what = `${name} ${state === 'absent' || unread?.code === 'source-missing' ? 'has no file' : 'could not be read'}`;
  if (unread === undefined) return what;
  return `${what} (${unread.expected === undefined ? unread.found : `expected ${unread.expected}`})`;
}

/** `lost-deals of shop, 72 of 142 (50.7 %, at most 10 %)`. */
function describeGate({ gate, detail }: GateResult): string {
  const { name, source } = parseGate(gate);
  return `${source === undefined ? name : `${name} of ${source}`}, ${detail}`;
}

/** Why a build is refused: the worst of its gates, and how many more there are. A dry run leaves no file. */
export function describeRefusal(
  gates: readonly GateResult[],
  sources: readonly SourceReport[],
  isDryRun: boolean,
): string {
  const feeds = new Set(sources.filter(({ kind }) => kind === 'feed').map(({ name }) => name));
  // A loss of a feed that already has its earlier deals is a loss of the whole catalogue.
  const rankOf = ({ gate }: GateResult): number => (feeds.has(parseGate(gate).source ?? '') ? 1 : 0);
  const [worst, ...others] = gates
    .filter(({ state }) => state === 'refused')
    .toSorted((a, b) => rankOf(a) - rankOf(b) || excessOf(b) - excessOf(a));
  if (worst === undefined) return 'no gate is closed';
  const more =
    others.length > 0 ? `; and ${others.length} more gates, all ${isDryRun ? 'by --json' : 'in last-build.json'}` : '';
  return escapeControls(`${describeGate(worst)}${more}`);
}

/** A measure as a multiple of its limit; a refusal without a measure is beyond any. */
function excessOf({ measured, limit }: GateResult): number {
  if (measured === undefined || limit === undefined) return Number.MAX_VALUE;
  return Math.min(Number.MAX_VALUE, measured / limit);
}

/** `2026-11-01 02:30`. */
function writeMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}
