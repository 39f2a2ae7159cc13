import type { DealField } from './deals-column.ts';

/** What a hole of a template takes: any text, or one of the forms in which feeds write numbers. */
export type HoleKind = 'text' | 'whole' | 'count' | 'amount' | 'data' | 'storage';

/** The holes of a template, which are fields of our own feed. */
export const TEMPLATE_HOLES = {
  productName: 'text',
  storage: 'storage',
  colour: 'text',
  condition: 'text',
  network: 'text',
  contractName: 'text',
  contractMonths: 'whole',
  dataGb: 'data',
  callMinutes: 'count',
  textMessages: 'count',
  upfrontCost: 'amount',
  monthlyCost: 'amount',
  totalCost: 'amount',
  cashbackType: 'text',
  cashbackValue: 'amount',
  gift: 'text',
} as const satisfies Partial<Record<DealField, HoleKind>>;

export type TemplateHole = keyof typeof TEMPLATE_HOLES;

export const TEMPLATE_HOLE_NAMES = Object.keys(TEMPLATE_HOLES) as readonly TemplateHole[];

export function isTemplateHole(name: string): name is TemplateHole {
  return Object.hasOwn(TEMPLATE_HOLES, name);
}

/** A number where it stands in a text: what it is in the spelling of our own feed, and where it ends. */
interface ReadNumber {
  readonly value: string;
  readonly end: number;
}

/** `1,234.50`: groups of three, at most two places, no more digits than any price has. */
const AMOUNT = /(?:[0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,9})(?:\.[0-9]{1,2})?/y;
const WHOLE = /(?:[0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,9})/y;
const DATA = /([0-9]{1,6}(?:\.[0-9]{1,3})?) ?(gb|mb)/iy;
const STORAGE = /[0-9]{1,4} ?(?:gb|tb)/iy;
const UNLIMITED = /unlimited/iy;

const MEGABYTES_PER_GIGABYTE = 1_000;

/**
 * Reads the number of a hole at a position of a text. A number is a whole one: it does not begin or end within
 * another (`128` of `1128GB`), nor after a sign, nor within a word.
 */
export function readHoleAt(kind: Exclude<HoleKind, 'text'>, text: string, at: number): ReadNumber | undefined {
  if (kind === 'count' || kind === 'data') {
    const end = matchAt(UNLIMITED, text, at)?.end;
    if (end !== undefined && !isLetter(text[at - 1]) && !isLetter(text[end])) return { value: 'unlimited', end };
  }
  if (isWithinNumber(text, at) || isSigned(text, at)) return undefined;
  switch (kind) {
    case 'amount':
      return endsNumber(matchAt(AMOUNT, text, at), text);
    case 'whole':
    case 'count':
      return endsNumber(matchAt(WHOLE, text, at), text);
    case 'storage':
      return endsWord(matchAt(STORAGE, text, at), text);
    case 'data': {
      const found = endsWord(matchAt(DATA, text, at), text);
      return found === undefined ? undefined : { value: toGigabytes(found.value), end: found.end };
    }
  }
}

function matchAt(pattern: RegExp, text: string, at: number): ReadNumber | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? undefined : { value: match[0].replaceAll(',', ''), end: at + match[0].length };
}

function endsNumber(found: ReadNumber | undefined, text: string): ReadNumber | undefined {
  if (found === undefined) return undefined;
  const next = text[found.end];
  const isCut = isDigit(next) || ((next === '.' || next === ',') && isDigit(text[found.end + 1]));
  return isCut ? undefined : found;
}

function endsWord(found: ReadNumber | undefined, text: string): ReadNumber | undefined {
  return found !== undefined && (isLetter(text[found.end]) || isDigit(text[found.end])) ? undefined : found;
}

function isWithinNumber(text: string, at: number): boolean {
  const [before, beforeThat] = [text[at - 1], text[at - 2]];
  return isDigit(before) || ((before === '.' || before === ',') && isDigit(beforeThat));
}

/** `-5` and `-£5`, but not `new-25` or ` - £25`: a dash that stands before the number and after no word. */
function isSigned(text: string, at: number): boolean {
  const sign = text[at - 1] === '£' ? at - 2 : at - 1;
  if (text[sign] !== '-' && text[sign] !== '−') return false;
  const before = text[sign - 1];
  return before === undefined || before === ' ' || before === '(' || before === '£';
}

function toGigabytes(text: string): string {
  const [, number = '', unit = ''] = /^([0-9.]+) ?([a-z]+)$/i.exec(text) ?? [];
  return unit.toLowerCase() === 'gb' ? number : String(Number(number) / MEGABYTES_PER_GIGABYTE);
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /\p{L}/u.test(character);
}
