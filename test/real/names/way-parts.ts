import type { Random } from '../../support/random.ts';
import type { Catalogue } from './catalogue.ts';
import { storageText, type Draft, type Write } from './draft.ts';
import { groupBy, type Generation } from './judge.ts';
import { PHONE_LIST, squeeze, type Phone } from './phones.ts';
import WORDS from './fixture/words.json' with { type: 'json' };

export function hasRam({ sizes }: Phone): boolean {
  return sizes.some(({ ram }) => ram !== undefined);
}

const FORMS = groupBy(PHONE_LIST, ({ maker, series, words }) => `${maker}/${series}/${words}`);

function areSold({ maker, series }: Phone, words: string): readonly Phone[] {
  return FORMS.get(`${maker}/${series}/${words}`) ?? [];
}

export function isSold(phone: Phone, model: string): boolean {
  return areSold(phone, squeeze(model)).length > 0;
}

/** `S10` and `S10+`: one is the other with Plus. */
export function hasPlusSibling(phone: Phone): boolean {
  const { words } = phone;
  const [base, plus] = words.endsWith('plus') ? [words.slice(0, -4), words] : [words, `${words}plus`];
  return areSold(phone, base).length > 0 && areSold(phone, plus).length > 0;
}

export function isOfPair(phone: Phone): boolean {
  return areSold(phone, phone.words).length > 1;
}

export function restyle(styles: readonly ((text: string) => string)[]): Write {
  return (draft, random) => {
    draft.style = random.pick(styles);
    return true;
  };
}

export function rewriteModel(rewrite: (model: string) => string): Write {
  return (draft) => {
    const model = rewrite(draft.phone.model);
    if (model === draft.phone.model) return false;
    draft.parts.model = model;
    return true;
  };
}

/** Spaces go, in the model (`S21FE`, `ZFlip5`) or after the series word (`iPhone13`): "spacing is set aside". */
export function joinWords(draft: Draft, random: Random): boolean {
  const { phone, parts, said } = draft;
  if (/[().]|2nd/.test(phone.model)) return false;
  const joined = phone.model
    .replaceAll(/(\d) (?=[A-Za-z])|([A-Za-z]) (?=\d)/g, '$1$2')
    .replace('Z Fl', 'ZFl')
    .replace('Z Fo', 'ZFo');
  if (random.isLikely(0.3) && parts.series === phone.series && /[a-z]$/.test(phone.series) && phone.model !== '') {
    if (!/^\d/.test(phone.model)) said.open ??= 'Words: two words of letters joined';
    parts.series = '';
    parts.model = `${phone.series}${joined}`;
    return true;
  }
  if (joined === phone.model) {
    if (!/[A-Za-z] [A-Za-z]/.test(joined)) return false;
    said.open ??= 'Words: two words of letters joined';
    parts.model = joined.replace(/([A-Za-z]) (?=[A-Za-z])/, '$1');
    return true;
  }
  parts.model = joined;
  return true;
}

/** `Note 13 Pro + 256GB`, `S10 +`, or `S10+128GB`, which could be either. */
export function writeOpenPlus(draft: Draft, random: Random): boolean {
  const { phone, said, parts } = draft;
  const words = phone.words.replace(/plus$/, '');
  const base = areSold(phone, words).find(({ is5gForm }) => !is5gForm);
  if (base === undefined || parts.sizes === '') return false;
  said.phone = base;
  said.isPlusOpen = true;
  said.generation = '';
  parts.generation = '';
  parts.model = `${base.model} +`;
  if (random.isLikely(0.3)) {
    said.open = 'Plus: + between a word of the model and a size';
    parts.model = '';
    parts.series = `${parts.series} ${base.model}+${parts.sizes}`.trim();
    parts.sizes = '';
  }
  return true;
}

/** Swaps, drops or doubles a letter of a word that must agree. */
export function slip(draft: Draft, random: Random): boolean {
  const { parts, said } = draft;
  const places = (['maker', 'series', 'model'] as const).filter((part) => /[A-Za-z]{4}/.test(parts[part]));
  if (places.length === 0) return false;
  const part = random.pick(places);
  const words = parts[part].split(' ');
  const at = words.findIndex((word) => /^[A-Za-z]{4,}$/.test(word));
  const word = words[at];
  if (word === undefined) return false;
  const place = 1 + random.below(word.length - 2);
  const [letter = '', next = ''] = word.slice(place);
  if (letter.toLowerCase() === next.toLowerCase()) return false;
  const written = random.pick([
    word.slice(0, place) + next + letter + word.slice(place + 2),
    word.slice(0, place) + word.slice(place + 1),
    word.slice(0, place) + letter + word.slice(place),
  ]);
  words[at] = written;
  parts[part] = words.join(' ');
  said.broken = 'Words: a typing slip is no match';
  return written.toLowerCase() !== word.toLowerCase();
}

/** Writes another model, which may be one of the maker's, or none: then its words agree with nothing. */
export function sayModel(draft: Draft, model: string): boolean {
  const { phone, said } = draft;
  const words = squeeze(model);
  const [other] = areSold(phone, words);
  if (other === undefined) said.broken ??= 'Words: Pro, Max, Plus, years and generations must agree';
  else said.phone = other;
  draft.parts.model = model;
  return true;
}

export function addToModel(words: readonly string[]): Write {
  return (draft, random) => addWord(draft, random.pick(words));
}

function addWord(draft: Draft, added: string): boolean {
  if (added === 's' && !/\d$/.test(draft.phone.model)) return false;
  if (/^(\+| Plus)$/.test(added) && /(\+| Plus)$/.test(draft.phone.model)) return false;
  return sayModel(draft, `${draft.phone.model}${added}`.trim());
}

export function writeStorage(draft: Draft, write: (number: string, unit: string) => string): boolean {
  if (draft.parts.sizes === '') return false;
  const { storage } = draft.size;
  draft.parts.sizes = storage === 1024 ? write('1', 'TB') : write(String(storage), 'GB');
  draft.said.ram = undefined;
  return true;
}

/** `forms` are texts with placeholders: `{ram}GB/{storage}`. */
export function writeRam(forms: readonly string[], open?: string): Write {
  return (draft, random) => {
    const { ram, storage } = draft.size;
    if (open !== undefined) draft.said.open = open;
    if (ram === undefined || draft.parts.sizes === '') return false;
    // Now and then a RAM with which the phone is not sold in this size.
    const said = random.isLikely(0.1) ? random.pick([2, 3, 4, 6, 8, 12].filter((other) => other < storage)) : ram;
    draft.said.ram = said;
    draft.said.storage = storage;
    const text = storageText(storage);
    draft.parts.sizes = random
      .pick(forms)
      .replace('{ram}', String(said))
      .replace('{storage}', text)
      .replace('{bare}', text.replace('GB', ''))
      .replace('{short}', text.replace('GB', 'G'));
    // `GT 8+128GB`: the 8 could be the number of the model.
    if (/^\d+\+/.test(draft.parts.sizes) && !/\d\w*$/.test(draft.phone.model))
      draft.said.open ??= 'Plus: + after a number without unit';
    return true;
  };
}

/** Names of few phones get a colour, which must not matter, so that there are enough of them. */
export function addColour(draft: Draft, random: Random, catalogue: Catalogue): void {
  if (draft.parts.after === '')
    writeColour(draft, random.pick(WORDS.knownColours), random.pick(['', '- ', '(']), catalogue);
}

export function writeColour(draft: Draft, colour: string, mark: string, catalogue: Catalogue): boolean {
  draft.parts.after = mark === '(' ? `(${colour})` : `${mark}${colour}`;
  const isHeld = catalogue.products.some(
    ({ phone, name }) => phone.maker === draft.phone.maker && name.split(' ').includes(colour),
  );
  if (isHeld) draft.said.open ??= 'Words: a product name of the maker holds the colour';
  return true;
}

/** One of the words after or before the name, which breaks a rule (`broken`) or is one that INPUTS leaves open. */
export function addWords(
  part: 'before' | 'after',
  words: readonly string[],
  { open, broken }: { readonly open?: string; readonly broken?: string } = {},
): Write {
  return (draft, random) => {
    draft.parts[part] = random.pick(words);
    if (open !== undefined) draft.said.open ??= open;
    if (broken !== undefined) draft.said.broken ??= broken;
    return true;
  };
}

/** A way of writing that only the name of a refurbished phone has. */
export function ofRefurbished(write: Write): Write {
  return (draft, random, catalogue) => draft.said.condition !== 'new' && write(draft, random, catalogue);
}

/** A name without its maker, or without its series word. */
export function leaveOut(part: 'maker' | 'series'): Write {
  return (draft) => {
    draft.parts[part] = '';
    draft.said[part] = false;
    return draft.phone.series !== '' && (part === 'maker' || draft.phone.model !== '');
  };
}

/** The generation that the name says, made of the one that it would say. */
export function sayGeneration(choose: (said: Generation, random: Random) => Generation | undefined): Write {
  return (draft, random) => {
    const generation = choose(draft.said.generation, random);
    if (generation === undefined) return false;
    draft.said.generation = generation;
    draft.parts.generation = generation;
    return true;
  };
}

export function contradict(column: '' | 'new', rule: string): Write {
  return (draft, random) => {
    draft.parts.after = random.pick(random.isLikely(0.7) ? WORDS.namedGrades : WORDS.otherGrades);
    draft.column = column;
    draft.said.condition = 'new';
    draft.said.contradiction = rule;
    return true;
  };
}
