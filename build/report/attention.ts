import type { Notice } from '../../data/report/notice.ts';
import type { GateResult, HeldPart, SourceReport } from '../../data/report/report.ts';
import { parseGate } from '../gate/gates.ts';
import { namePart } from '../gate/parts.ts';
import { escapeControls } from '../source/quote.ts';
import { listCauses } from './causes.ts';

export interface AttentionParts {
  readonly sources: readonly SourceReport[];
  readonly notices: readonly Notice[];
  /** The sources of the snapshot being served. */
  readonly before: readonly SourceReport[];
  /** What moved, though nothing fails. */
  readonly said: readonly string[];
  readonly maxCarriedMs: number;
}

/**
 * The sentences for the operator about a build that is not refused, causes before consequences: why a source is not served
 * as its file has it, what is served in its place and until when, and what moved.
 */
export function listAttention({ sources, notices, before, said, maxCarriedMs }: AttentionParts): readonly string[] {
  return sources
    .flatMap((source) => [
      ...listCauses(
        source,
        notices,
        before.find(({ name }) => name === source.name),
      ),
      ...describeHoldings(source, maxCarriedMs),
    ])
    .concat(said)
    .map((sentence) => escapeControls(sentence));
}

const MAX_PARTS = 5;

function describeHoldings({ name, kind, state, held = [] }: SourceReport, maxCarriedMs: number): readonly string[] {
  if (held.length === 0) {
    return kind === 'feed' && state !== 'fresh'
      ? [`Held: ${name}; it has no deals of before, so nothing of it is served`]
      : [];
  }
  const sentences = held.toSorted((a, b) => b.deals - a.deals).map((part) => describeHolding(name, part, maxCarriedMs));
  const more = sentences.length - MAX_PARTS;
  return more <= 0
    ? sentences
    : [...sentences.slice(0, MAX_PARTS), `and ${more} more parts of ${name}, all in last-build.json`];
}

function describeHolding(feed: string, part: HeldPart, maxCarriedMs: number): string {
  const { state, because, deals, freshAt } = part;
  const name = namePart(part);
  const what = name === '' ? feed : `${name} of ${feed}`;
  const since = writeMinute(Date.parse(freshAt));
  const until = writeMinute(Date.parse(freshAt) + maxCarriedMs);
  // The reason names the part, too.
  const why = name === '' ? because : because.replaceAll(`${name}: `, '');
  return state === 'held'
    ? `Held: ${what}, ${why}; its ${deals} deals of ${since} are served until ${until}`
    : `Withdrawn: ${what}, ${why}; its deals of ${since} were served until ${until}`;
}

/** `lost of shop, 72 of 142 deals are gone (50.7 %, at most 10 %)`. */
function describeGate({ gate, detail }: GateResult): string {
  const { name, source } = parseGate(gate);
  return `${source === undefined ? name : `${name} of ${source}`}, ${detail}`;
}

/** Why a build is refused: the source that could not be read, else the worst of its gates, and how many more there are. */
export function describeRefusal(
  gates: readonly GateResult[],
  sources: readonly SourceReport[],
  notices: readonly Notice[],
  isDryRun: boolean,
): string {
  const [worst, ...others] = gates
    .filter(({ state }) => state === 'refused')
    .toSorted((a, b) => rankOf(a) - rankOf(b) || excessOf(b) - excessOf(a));
  if (worst === undefined) return 'no gate is closed';
  const unread = sources.find(({ name, state }) => worst.gate === `unread:${name}` && state !== 'fresh');
  const cause = unread === undefined ? describeGate(worst) : (listCauses(unread, notices)[0] as string);
  const more =
    others.length > 0 ? `; and ${others.length} more gates, all ${isDryRun ? 'by --json' : 'in last-build.json'}` : '';
  return escapeControls(`${cause}${more}`);
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

/** `2026-11-01 02:30`. */
function writeMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}
