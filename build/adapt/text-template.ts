import { findNearestWord } from '../../data/query/nearest-word.ts';
import { quote } from '../source/quote.ts';
import { isTemplateHole, readHoleAt, TEMPLATE_HOLE_NAMES, TEMPLATE_HOLES, type TemplateHole } from './template-hole.ts';

/**
 * Templates say how a feed writes facts into a text: `{productName} on {network} | £{monthlyCost}pm {dataGb} Data{*}`.
 * A hole of a text takes as much as fits, a hole of a number only a number, `{*}` anything or nothing; everything else
 * must be there as it stands, whatever its case. `{callMinutes+textMessages}` is one text for two fields.
 *
 * A template fits the whole text or not at all, and in one way only: where it could be laid on the text in two ways
 * that give different facts, nobody can say which is meant.
 */
export interface TextTemplate {
  readonly source: string;
  /** All fields that the template gives, sorted. */
  readonly holes: readonly TemplateHole[];
  /** Runs of literals and numbers; between any two, and perhaps around them, a free part. */
  readonly runs: readonly (readonly Part[])[];
  /** `free[i]` stands before `runs[i]`, the last after the last run; undefined for none. */
  readonly free: readonly (FreePart | undefined)[];
}

type Part =
  | { readonly kind: 'literal'; readonly lowerCase: string }
  | { readonly kind: 'number'; readonly holes: readonly TemplateHole[] };

interface FreePart {
  /** None for `{*}`. */
  readonly holes: readonly TemplateHole[];
}

/** A template, or what is wrong with it. */
export type ParsedTemplate =
  | { readonly kind: 'template'; readonly template: TextTemplate }
  | { readonly kind: 'fault'; readonly expected: string };

/** What a template finds: a number in the spelling of our own feed. */
export interface HoleText {
  readonly text: string;
  /** As it stands in the text. */
  readonly found: string;
}

export type TemplateMatch =
  | { readonly kind: 'match'; readonly values: ReadonlyMap<TemplateHole, HoleText> }
  | { readonly kind: 'ambiguous' };

type Token = string | readonly TemplateHole[];

export function parseTemplate(source: string): ParsedTemplate {
  const tokens = splitTokens(source.trim().replace(/\s+/g, ' '));
  if (!Array.isArray(tokens)) return { kind: 'fault', expected: tokens.fault };
  const runs: Part[][] = [];
  const free: (FreePart | undefined)[] = [undefined];
  let last: 'run' | 'free' | undefined;
  for (const token of tokens) {
    const isFree = typeof token !== 'string' && token.every((hole) => TEMPLATE_HOLES[hole] === 'text');
    if (isFree) {
      if (last === 'free') return { kind: 'fault', expected: 'words between two holes that take any text' };
      free[free.length - 1] = { holes: token };
      last = 'free';
      continue;
    }
    if (last !== 'run') {
      runs.push([]);
      free.push(undefined);
    }
    const part: Part =
      typeof token === 'string'
        ? { kind: 'literal', lowerCase: token.toLowerCase() }
        : { kind: 'number', holes: token };
    runs.at(-1)?.push(part);
    last = 'run';
  }
  const bare = runs.flatMap(findBareNumbers)[0];
  if (bare !== undefined)
    return { kind: 'fault', expected: `words or signs beside {${bare}} that tell it from others` };
  const holes = tokens.flatMap((token) => (typeof token === 'string' ? [] : token)).toSorted();
  const repeated = holes.find((hole, index) => holes.indexOf(hole) !== index);
  if (repeated !== undefined) return { kind: 'fault', expected: `{${repeated}} once` };
  return { kind: 'template', template: { source, holes, runs, free } };
}

/** Literal texts and holes in turn; `{*}` has no field. */
function splitTokens(source: string): Token[] | { readonly fault: string } {
  const tokens: Token[] = [];
  for (let at = 0; at < source.length;) {
    const open = source.indexOf('{', at);
    const literal = source.slice(at, open === -1 ? source.length : open);
    if (literal.includes('}')) return { fault: 'a { before every }' };
    if (literal !== '') tokens.push(literal);
    if (open === -1) break;
    const close = source.indexOf('}', open);
    if (close === -1) return { fault: 'a } after every {' };
    const inner = source.slice(open + 1, close);
    const names = inner === '*' ? [] : inner.split('+');
    const unknown = names.find((name) => !isTemplateHole(name));
    if (unknown !== undefined) return { fault: describeUnknownHole(unknown) };
    const holes = names.filter(isTemplateHole);
    if (new Set(holes.map((hole) => TEMPLATE_HOLES[hole])).size > 1) return { fault: 'fields of one kind in one hole' };
    tokens.push(holes);
    at = close + 1;
  }
  return tokens.length === 0 ? { fault: 'a text that is not empty' } : tokens;
}

function describeUnknownHole(name: string): string {
  const nearest = findNearestWord(name, TEMPLATE_HOLE_NAMES);
  return nearest === undefined
    ? `only the holes {*}, ${TEMPLATE_HOLE_NAMES.map((hole) => `{${hole}}`).join(', ')}`
    : `no hole {${name}}; did you mean {${nearest}}?`;
}

/** A number with nothing but blanks beside it would take any number: a storage for a data allowance. */
function findBareNumbers(run: readonly Part[]): readonly TemplateHole[] {
  return run.flatMap((part, index) => {
    if (part.kind === 'literal' || TEMPLATE_HOLES[part.holes[0] as TemplateHole] === 'storage') return [];
    const beside = [run[index - 1], run[index + 1]];
    const isBound = beside.some((each) => each?.kind === 'literal' && each.lowerCase.trim() !== '');
    return isBound ? [] : part.holes.slice(0, 1);
  });
}

/** What a template finds in a text with single spaces; undefined when it does not fit. */
export function matchTemplate(template: TextTemplate, text: string): TemplateMatch | undefined {
  const lowerCase = text.toLowerCase();
  // A few capitals have two letters in lower case, and then positions would not agree.
  const folded = lowerCase.length === text.length ? lowerCase : text;
  const leftmost = layFromLeft(template, folded);
  if (leftmost === undefined) return undefined;
  const rightmost = layFromRight(template, folded);
  const values = readValues(template, text, leftmost);
  if (rightmost === undefined || !isSame(values, readValues(template, text, rightmost))) return { kind: 'ambiguous' };
  return { kind: 'match', values };
}

/** Where a run lies, and what its numbers are. */
interface Laid {
  readonly start: number;
  readonly end: number;
  readonly numbers: readonly {
    readonly holes: readonly TemplateHole[];
    readonly text: string;
    readonly at: number;
    readonly end: number;
  }[];
}

/** Every run as far to the left as it goes: if the template fits at all, it fits so. */
function layFromLeft({ runs, free }: TextTemplate, text: string): readonly Laid[] | undefined {
  const laid: Laid[] = [];
  let end = 0;
  for (const [index, run] of runs.entries()) {
    const isLast = index === runs.length - 1;
    const after = free[index + 1];
    const latestEnd = isLast && after !== undefined ? text.length - leastLength(after) : text.length;
    const mustEndAt = isLast && after === undefined ? text.length : undefined;
    const before = free[index];
    const first = end + leastLength(before);
    const found = findRun(run, text, first, before === undefined ? first : text.length, 1, (candidate) =>
      mustEndAt === undefined ? candidate.end <= latestEnd : candidate.end === mustEndAt,
    );
    if (found === undefined) return undefined;
    laid.push(found);
    end = found.end;
  }
  return runs.length > 0 || text.length >= leastLength(free[0]) ? laid : undefined;
}

/** Every run as far to the right as it goes. */
function layFromRight({ runs, free }: TextTemplate, text: string): readonly Laid[] | undefined {
  const laid: Laid[] = [];
  let start = text.length;
  for (const [index, run] of [...runs.entries()].toReversed()) {
    const after = free[index + 1];
    const latestEnd = start - leastLength(after);
    const [first, last] = free[index] === undefined ? [0, 0] : [leastLength(free[index]), latestEnd];
    const found = findRun(run, text, last, first, -1, (candidate) =>
      after === undefined ? candidate.end === latestEnd : candidate.end <= latestEnd,
    );
    if (found === undefined) return undefined;
    laid.unshift(found);
    start = found.start;
  }
  return laid;
}

function leastLength(part: FreePart | undefined): number {
  return part === undefined || part.holes.length === 0 ? 0 : 1;
}

/** The first place from `from` to `to`, in steps of `step`, at which a run lies and is accepted. */
function findRun(
  run: readonly Part[],
  text: string,
  from: number,
  to: number,
  step: 1 | -1,
  accepts: (laid: Laid) => boolean,
): Laid | undefined {
  for (let at = from; step === 1 ? at <= to : at >= to; at += step) {
    const laid = layRun(run, text, at);
    if (laid !== undefined && accepts(laid)) return laid;
  }
  return undefined;
}

function layRun(run: readonly Part[], text: string, start: number): Laid | undefined {
  const numbers: Laid['numbers'][number][] = [];
  let at = start;
  for (const part of run) {
    if (part.kind === 'literal') {
      if (!text.startsWith(part.lowerCase, at)) return undefined;
      at += part.lowerCase.length;
    } else {
      const kind = TEMPLATE_HOLES[part.holes[0] as TemplateHole];
      const found = kind === 'text' ? undefined : readHoleAt(kind, text, at);
      if (found === undefined) return undefined;
      numbers.push({ holes: part.holes, text: found.value, at, end: found.end });
      at = found.end;
    }
  }
  return { start, end: at, numbers };
}

function readValues(
  { runs, free }: TextTemplate,
  text: string,
  laid: readonly Laid[],
): ReadonlyMap<TemplateHole, HoleText> {
  const values = new Map<TemplateHole, HoleText>();
  for (const [index, part] of free.entries()) {
    const start = laid[index - 1]?.end ?? 0;
    const found = text.slice(start, laid[index]?.start ?? text.length).trim();
    for (const hole of found === '' ? [] : (part?.holes ?? [])) values.set(hole, { text: found, found });
    if (index === runs.length) break;
    for (const number of laid[index]?.numbers ?? []) {
      const written = text.slice(number.at, number.end);
      // A storage is a part of a name, so it stays as it is written.
      for (const hole of number.holes) {
        values.set(hole, { text: hole === 'storage' ? written : number.text, found: written });
      }
    }
  }
  return values;
}

function isSame(a: ReadonlyMap<TemplateHole, HoleText>, b: ReadonlyMap<TemplateHole, HoleText>): boolean {
  return a.size === b.size && [...a].every(([hole, { text }]) => b.get(hole)?.text === text);
}

/** Templates as messages show them. */
export function showTemplates(templates: readonly TextTemplate[]): string {
  return templates.map(({ source }) => quote(source)).join(' or ');
}
