import type { Random } from '../../oracle/random.ts';
import { SE_EDITIONS, type Catalogue } from './catalogue.ts';
import type { Condition, Product, Said } from './judge.ts';
import { PHONE_LIST, squeeze, type Phone, type Size } from './phones.ts';

/** A name being written: the text of each part, and what the text says. */
export interface Draft {
  readonly phone: Phone;
  readonly size: Size;
  readonly said: Said;
  readonly parts: Record<Part, string>;
  order: readonly Part[];
  style: (text: string) => string;
  /** The condition column of the row. */
  column: '' | Condition;
}

type Part = 'before' | 'maker' | 'series' | 'model' | 'generation' | 'sizes' | 'after';

/** Changes the draft as a shop would; false where this draft has nothing to change. */
type Write = (draft: Draft, random: Random, catalogue: Catalogue) => boolean;

/** A way of writing; two of one `slot` do not go together. */
export interface Way {
  readonly slot: string;
  readonly write: Write;
}

const ORDER: readonly Part[] = ['before', 'maker', 'series', 'model', 'generation', 'sizes', 'after'];

/** A phone, of the CMS or not, in one of its sizes, as its maker writes it. */
export function draftName(catalogue: Catalogue, random: Random): Draft {
  const product: Product | undefined = random.isLikely(0.65) ? random.pick(catalogue.products) : undefined;
  const phone = product?.phone ?? random.pick(PHONE_LIST);
  return draftOf(phone, random, product);
}

export function draftOf(phone: Phone, random: Random, product?: Product): Draft {
  const fitting = phone.sizes.filter(
    ({ ram, storage }) =>
      (product?.storage ?? storage) === storage && (product?.ram === undefined || product.ram === ram),
  );
  const size = random.pick(fitting.length === 0 ? phone.sizes : fitting);
  const hasStorage = product === undefined || product.storage !== undefined || random.isLikely(0.1);
  const condition = product?.condition ?? (random.isLikely(0.7) ? 'new' : 'refurbished');
  const generation = product?.generation ?? (phone.is5gForm ? '5G' : '');
  // RAM is said where products differ by it; elsewhere it may be missing.
  const ram = product?.ram !== undefined && random.isLikely(0.7) ? size.ram : undefined;
  const storage = storageText(size.storage);
  return {
    phone,
    size,
    said: {
      phone,
      maker: true,
      series: phone.series !== '',
      generation,
      storage: hasStorage ? size.storage : undefined,
      ram: hasStorage ? ram : undefined,
      condition,
    },
    parts: {
      before: '',
      maker: phone.maker,
      series: phone.series,
      model: phone.model,
      generation,
      sizes: hasStorage ? (ram === undefined ? storage : `${ram}GB RAM ${storage}`) : '',
      after: '',
    },
    order: ORDER,
    style: (text) => text,
    column: condition === 'new' ? (random.isLikely(0.5) ? 'new' : '') : condition,
  };
}

export function textOf({ parts, order, style }: Draft): string {
  return style(
    order
      .map((part) => parts[part])
      .filter((text) => text !== '')
      .join(' '),
  );
}

function storageText(storage: number): string {
  return storage === 1024 ? '1TB' : `${storage}GB`;
}

export const KNOWN_COLOURS = [
  'Black',
  'White',
  'Blue',
  'Green',
  'Red',
  'Pink',
  'Purple',
  'Gold',
  'Silver',
  'Grey',
  'Yellow',
];
export const SHOP_COLOURS = [
  'Midnight', 'Starlight', 'Graphite', 'Phantom Black', 'Sierra Blue', 'Awesome Violet', 'Obsidian', 'Hazel', 'Cosmic Grey',
  'Titanium Black', 'Natural Titanium', 'Rose Gold', 'Space Grey', 'Jet Black', 'Ocean Blue', 'Mystic Bronze', 'Cloud Navy', 'Lavender',
  'Mint', 'Cream', 'Sage', 'Coral', '(PRODUCT)RED', 'Onyx Black', 'Charcoal', 'Deep Purple', 'Alpine Green', 'Prism White', 'Icy Blue',
]; // prettier-ignore
const TRADE = ['SIM Free', 'SIM-Free', 'Unlocked', '(Unlocked)', 'Dual SIM', 'Dual-SIM', '(Dual SIM)', 'eSIM', 'SIM Free Unlocked', '- SIM Free', 'sim free', 'Dual SIM Unlocked']; // prettier-ignore
export const NETWORK_NAMES = ['EE', 'O2', 'Vodafone', 'Three'];
const OPEN_WORDS = [
  'Simfree', 'Smartphone', 'Mobile Phone', 'Handset', 'UK', 'on EE', 'EE', 'Nano SIM', 'Factory Unlocked', 'Single SIM', 'Pay Monthly',
  'UK Version', 'Global Version', 'Brand New', 'Android', 'Boxed', '[Vodafone]', '(EE Network)', 'Sim', '12 Month Warranty', 'Contract',
]; // prettier-ignore
const ACCESSORIES = [
  'Case', 'Clear Case', 'Silicone Case with MagSafe', 'Screen Protector', 'Tempered Glass', 'Charger', 'Flip Cover', 'Leather Folio', 'Dock',
  'Replacement Screen', 'Battery', 'Car Kit', 'Camera Lens Protector', 'Dummy', 'with Galaxy Buds2', '+ Watch', 'Bundle',
]; // prettier-ignore
const EDITIONS = [
  'Olympic Games Edition', 'Enterprise Edition', 'Thom Browne Edition', 'BTS Edition', 'Star Wars Edition', 'McLaren Edition', 'Tactical Edition',
  'Limited Edition', 'Lamborghini Edition', 'Bespoke Edition', 'Explorer Edition', 'Harry Potter Edition', 'Active', 'Sport', 'Developer',
]; // prettier-ignore
const NOT_PHONES = [
  'Samsung Galaxy Tab S9', 'Samsung Galaxy Tab S9 Ultra 5G', 'Samsung Galaxy Tab A8', 'Samsung Galaxy Watch6 LTE', 'Samsung Galaxy Buds2 Pro',
  'Apple iPad 10.2', 'Apple iPad mini', 'Apple iPad Pro 11', 'Apple Watch SE', 'Apple AirPods Pro', 'Google Pixel Tablet', 'Google Pixel Watch 2',
  'Google Pixel Buds Pro', 'Xiaomi Redmi Pad', 'Xiaomi Redmi Watch 3', 'Xiaomi Pad 6', 'OnePlus Pad', 'OnePlus Watch 2', 'Huawei MatePad 11',
  'Honor Pad X9', 'OPPO Pad Air', 'realme Pad 2', 'Samsung', 'Samsung Galaxy', 'Apple iPhone', 'Xiaomi Redmi', 'Phone', 'Huawei', 'OPPO', 'Honor',
  'Motorola Moto', 'Xiaomi Redmi Note', 'Samsung Galaxy Note', 'Samsung Galaxy Z', 'Refurbished Phone', 'Sony PlayStation 5', 'Fairphone',
]; // prettier-ignore
/** Grades and words that INPUTS "Condition" names, and others that shops use. */
const NAMED_GRADES = [
  'Pristine', 'Excellent', 'Very Good', 'Good Condition', 'Fair', 'Grade A', 'Grade B', 'Grade C', 'Refurbished', 'Used', 'Pre-owned',
  'Pre Owned', '(Refurbished)', '- Pristine', '(Grade A)', 'Refurbished Grade A', 'Refurbished - Excellent', 'Used - Very Good', '- Fair', 'Used (Grade B)',
]; // prettier-ignore
const OTHER_GRADES = [
  'Like New', 'As New', 'Good as New', 'Nearly New', 'Renewed', 'Reconditioned', 'Second Hand', 'Ex-Display', 'Certified Pre-Loved', 'Refurb',
  'Excellent Condition', 'Acceptable', 'A Grade', 'Grade A+', 'B-Grade', 'Good', 'Great Condition', 'Open Box', 'Remanufactured', 'Recertified',
]; // prettier-ignore

/** The ways in which shops write a name. */
export const WAYS: Readonly<Record<string, Way>> = {
  'as the maker writes it': { slot: 'none', write: () => true },
  'upper or lower case': {
    slot: 'style',
    write: restyle([(text) => text.toUpperCase(), (text) => text.toLowerCase()]),
  },
  'other marks and spaces': {
    slot: 'style',
    write: restyle([
      (text) => text.replaceAll(' ', '  '),
      (text) => ` ${text}  `,
      (text) => text.replaceAll(' ', '\u00a0'),
      (text) => text.replaceAll(/(Galaxy|iPhone|Pixel|Xperia)/g, '$1®'),
      (text) => text.replaceAll(/(Galaxy|iPhone|Pixel|Xperia|Redmi)/g, '$1™'),
      (text) => text.replace(/ (\d+GB|1TB)/, ', $1'),
      (text) => text.replace(/ (\d+GB|1TB)/, ' - $1'),
      (text) => text.replace(/ (\d+GB|1TB)/, ' | $1'),
      (text) => text.replace(/ (\d+GB|1TB)/, ' ($1)'),
      (text) => text.replace(/ (\d+GB|1TB)/, ': $1'),
    ]),
  },
  'hyphens or underscores for spaces': {
    slot: 'style',
    write: restyle([(text) => text.replaceAll(' ', '-'), (text) => text.replaceAll(' ', '_')]),
  },
  'another order': {
    slot: 'order',
    write: (draft, random) => {
      draft.order = random.pick<readonly Part[]>([
        ['before', 'maker', 'series', 'model', 'sizes', 'generation', 'after'],
        ['before', 'sizes', 'maker', 'series', 'model', 'generation', 'after'],
        ['before', 'series', 'model', 'generation', 'sizes', 'maker', 'after'],
      ]);
      // INPUTS compares names by their words and says nothing of their order.
      if (draft.order[1] !== 'maker') draft.said.open ??= 'Words: their order';
      return draft.parts.sizes !== '';
    },
  },
  'maker doubled': {
    slot: 'maker',
    write: (draft) => {
      draft.parts.maker = `${draft.phone.maker} ${draft.phone.maker}`;
      return true;
    },
  },
  'maker left out': {
    slot: 'maker',
    write: (draft) => {
      draft.parts.maker = '';
      draft.said.maker = false;
      return draft.phone.series !== '';
    },
  },
  'maker and series left out': {
    slot: 'maker',
    write: (draft) => {
      if (draft.phone.model === '' || draft.parts.series !== draft.phone.series) return false;
      draft.parts.maker = '';
      draft.parts.series = '';
      draft.said.maker = false;
      draft.said.series = false;
      return true;
    },
  },
  'series word left out': {
    slot: 'maker',
    write: (draft) => {
      if (draft.phone.series === '' || draft.phone.model === '') return false;
      draft.parts.series = '';
      draft.said.series = false;
      return true;
    },
  },
  'words joined': { slot: 'model', write: joinWords },
  'words split': {
    slot: 'model',
    write: rewriteModel((model) => model.replace(/([A-Za-z])(\d)|(\d)([A-Za-z])/, '$1$3 $2$4')),
  },
  'Plus for + or + for Plus': {
    slot: 'model',
    write: (draft, random, catalogue) => {
      const { model } = draft.phone;
      if (model.endsWith('+'))
        return rewriteModel(() => `${model.slice(0, -1)} ${random.pick(['Plus', 'plus', 'PLUS'])}`)(
          draft,
          random,
          catalogue,
        );
      if (!model.endsWith(' Plus')) return false;
      // `iPhone 8+ 64GB` could be read as RAM and storage.
      if (/^\d+ Plus$/.test(model)) draft.said.open = 'Plus: + after a bare number';
      draft.parts.model = model.replace(' Plus', '+');
      return true;
    },
  },
  '+ that decides nothing': { slot: 'model', write: writeOpenPlus },
  'a typing slip': { slot: 'slip', write: slip },
  'a word of a sibling added': {
    slot: 'model',
    write: (draft, random) =>
      addToModel(
        draft,
        random.pick([
          ' Pro',
          ' Max',
          ' Plus',
          '+',
          ' Ultra',
          ' Mini',
          ' FE',
          ' Lite',
          ' Neo',
          ' XL',
          ' SE',
          's',
          ' Pro Max',
        ]),
      ),
  },
  'a year or generation added': {
    slot: 'model',
    write: (draft, random) =>
      addToModel(
        draft,
        random.pick([
          ' (2019)',
          ' 2021',
          ' (2022)',
          ' 2nd Gen',
          ' (3rd Generation)',
          ' II',
          ' Mk2',
          ' (2023)',
          ' 2024',
        ]),
      ),
  },
  'year or generation written otherwise': {
    slot: 'model',
    write: (draft, random) => {
      const { model } = draft.phone;
      const edition = random.pick(SE_EDITIONS[model] ?? [model.replace(/\((\d{4})\)/, '$1')]);
      if (edition === model) return false;
      draft.parts.model = edition;
      return true;
    },
  },
  'year left out': {
    slot: 'model',
    write: (draft) => {
      const model = draft.phone.model.replace(/ \(20\d\d\)$/, '');
      if (model === draft.phone.model) return false;
      return sayModel(draft, model);
    },
  },
  '5G added or left out': {
    slot: 'generation',
    write: (draft) => {
      draft.said.generation = draft.said.generation === '5G' ? '' : '5G';
      draft.parts.generation = draft.said.generation;
      return true;
    },
  },
  '4G added or left out': {
    slot: 'generation',
    write: (draft) => {
      if (draft.said.generation === '5G') return false;
      draft.said.generation = draft.said.generation === '4G' ? '' : '4G';
      draft.parts.generation = draft.said.generation;
      return true;
    },
  },
  'storage spelled otherwise': {
    slot: 'sizes',
    write: (draft, random) =>
      writeStorage(draft, (number, unit) =>
        random.pick([
          `${number} ${unit}`,
          `${number}${unit.toLowerCase()}`,
          `(${number}${unit})`,
          `${number} ${unit.toLowerCase()}`,
          `- ${number}${unit}`,
        ]),
      ),
  },
  'storage without unit': {
    slot: 'sizes',
    write: (draft) => {
      // A smaller number could be one of the model (`Moto G 64`, `Redmi 12 64`).
      if (draft.size.storage < 128) draft.said.open = 'Storage and RAM: could the number be something else?';
      return draft.size.storage < 1024 && writeStorage(draft, (number) => number);
    },
  },
  'RAM beside the storage': { slot: 'sizes', write: writeRam(RAM_FORMS()) },
  'RAM beside the storage, joined by +': { slot: 'sizes', write: writeRam(PLUS_FORMS()) },
  'RAM in an uncommon form': {
    slot: 'sizes',
    write: (draft, random, catalogue) => {
      draft.said.open = 'Storage and RAM: the form is not named';
      return writeRam(OPEN_RAM_FORMS())(draft, random, catalogue);
    },
  },
  'storage left out': {
    slot: 'sizes',
    write: (draft) => {
      draft.parts.sizes = '';
      draft.said.storage = undefined;
      draft.said.ram = undefined;
      return true;
    },
  },
  'another storage': {
    slot: 'sizes',
    write: (draft, random) => {
      const storage = random.pick([16, 32, 64, 128, 256, 512, 1024]);
      draft.said.storage = storage;
      draft.said.ram = undefined;
      draft.parts.sizes = storageText(storage);
      return true;
    },
  },
  'a known colour': {
    slot: 'after',
    write: (draft, random, catalogue) =>
      writeColour(draft, random.pick(KNOWN_COLOURS), random.pick(['', '- ', ', ', '(']), catalogue),
  },
  'a known colour after +': {
    slot: 'after',
    write: (draft, random, catalogue) =>
      draft.parts.sizes !== '' && writeColour(draft, random.pick(KNOWN_COLOURS), '+ ', catalogue),
  },
  "a shop's colour that is not declared": {
    slot: 'after',
    write: (draft, random) => {
      draft.parts.after = random.pick(SHOP_COLOURS);
      draft.said.open ??= 'Words: is it a known colour?';
      return true;
    },
  },
  'words of the trade': {
    slot: 'after',
    write: (draft, random) => {
      const words = random.pick(TRADE);
      if (random.isLikely(0.3) && !words.startsWith('-')) draft.parts.before = words;
      else draft.parts.after = words;
      return draft.parts.before === '' || draft.parts.before === words;
    },
  },
  "a network's name in brackets": {
    slot: 'after',
    write: (draft, random) => {
      draft.parts.after = `(${random.pick(NETWORK_NAMES)})`;
      return true;
    },
  },
  'a word that INPUTS does not name': {
    slot: 'after',
    write: (draft, random) => {
      draft.parts.after = random.pick(OPEN_WORDS);
      draft.said.open ??= 'Words: INPUTS does not name this word of the trade';
      return true;
    },
  },
  'an accessory': { slot: 'after', write: breakOff(ACCESSORIES, 'Words: every other word must agree') },
  'a special edition': { slot: 'after', write: breakOff(EDITIONS, 'Words: every other word must agree') },
  'refurbished, and said so': {
    slot: 'before',
    write: (draft, random) => {
      if (draft.said.condition === 'new') return false;
      draft.parts.before = random.pick([
        'Refurbished',
        'REFURBISHED',
        'Used',
        'Pre-owned',
        'Refurbished:',
        'Refurbished -',
      ]);
      return true;
    },
  },
  'a grade beside refurbished': {
    slot: 'after',
    write: (draft, random) => {
      if (draft.said.condition === 'new') return false;
      draft.parts.after = random.pick(NAMED_GRADES);
      return true;
    },
  },
  'an uncommon grade beside refurbished': {
    slot: 'after',
    write: (draft, random) => {
      if (draft.said.condition === 'new') return false;
      draft.parts.after = random.pick(OTHER_GRADES);
      draft.said.open ??= 'Condition: INPUTS does not name the grade';
      return true;
    },
  },
  'a grade beside new': {
    slot: 'after',
    write: contradict('new', 'Condition: beside a stated new it is a contradiction'),
  },
  'a grade without a condition': {
    slot: 'after',
    write: contradict('', 'Condition: without a stated condition it is quarantined'),
  },
  'new in the name': {
    slot: 'before',
    write: (draft) => {
      draft.parts.before = 'New';
      if (draft.said.condition === 'refurbished')
        draft.said.contradiction = 'Condition: a column that disagrees with the name';
      // INPUTS does not say that `New` is a condition word.
      else draft.said.open ??= 'Condition: is New set aside?';
      return true;
    },
  },
  'not a phone, or no model': {
    slot: 'all',
    write: (draft, random) => {
      draft.said.broken = 'Words: no product has the words of the model';
      draft.style = () =>
        [random.pick(NOT_PHONES), random.pick(['', draft.parts.sizes]), random.pick(['', ...KNOWN_COLOURS])]
          .join(' ')
          .trim();
      const text = draft.style('');
      draft.style = () => text;
      return true;
    },
  },
};

function restyle(styles: readonly ((text: string) => string)[]): Write {
  return (draft, random) => {
    draft.style = random.pick(styles);
    return true;
  };
}

function rewriteModel(rewrite: (model: string) => string): Write {
  return (draft) => {
    const model = rewrite(draft.phone.model);
    if (model === draft.phone.model) return false;
    draft.parts.model = model;
    return true;
  };
}

/** Spaces go, in the model (`S21FE`, `ZFlip5`) or after the series word (`iPhone13`): "spacing is set aside". */
function joinWords(draft: Draft, random: Random): boolean {
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
function writeOpenPlus(draft: Draft, random: Random): boolean {
  const { phone, said, parts } = draft;
  const words = phone.words.replace(/plus$/, '');
  const base = PHONE_LIST.find(
    (other) => other.maker === phone.maker && other.series === phone.series && other.words === words && !other.is5gForm,
  );
  const hasPlus = PHONE_LIST.some(
    (other) => other.maker === phone.maker && other.series === phone.series && other.words === `${words}plus`,
  );
  if (base === undefined || !hasPlus || parts.sizes === '') return false;
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
function slip(draft: Draft, random: Random): boolean {
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
function sayModel(draft: Draft, model: string): boolean {
  const { phone, said } = draft;
  const words = squeeze(model);
  const alike = PHONE_LIST.filter(
    (other) => other.maker === phone.maker && other.series === phone.series && other.words === words,
  );
  const other = alike[0];
  if (other === undefined) said.broken ??= 'Words: Pro, Max, Plus, years and generations must agree';
  else said.phone = other;
  draft.parts.model = model;
  return true;
}

function addToModel(draft: Draft, added: string): boolean {
  if (added === 's' && !/\d$/.test(draft.phone.model)) return false;
  return sayModel(draft, `${draft.phone.model}${added}`.trim());
}

function writeStorage(draft: Draft, write: (number: string, unit: string) => string): boolean {
  if (draft.parts.sizes === '') return false;
  const { storage } = draft.size;
  draft.parts.sizes = storage === 1024 ? write('1', 'TB') : write(String(storage), 'GB');
  draft.said.ram = undefined;
  return true;
}

type RamForm = (ram: number, storage: string) => string;

function RAM_FORMS(): readonly RamForm[] {
  return [
    (ram, storage) => `${ram}/${storage}`,
    (ram, storage) => `${ram}GB/${storage}`,
    (ram, storage) => `${ram}GB RAM ${storage}`,
    (ram, storage) => `${storage} ${ram}GB RAM`,
    (ram, storage) => `${storage} (${ram}GB RAM)`,
    (ram, storage) => `(${ram}GB/${storage})`,
    (ram, storage) => `${storage}/${ram}GB`,
    (ram, storage) => `${ram}GB / ${storage}`,
    (ram, storage) => `${storage}, ${ram}GB RAM`,
    (ram, storage) => `${storage}/${ram}GB RAM`,
    (ram, storage) => `${ram} GB RAM ${storage}`,
  ];
}

function PLUS_FORMS(): readonly RamForm[] {
  return [
    (ram, storage) => `${ram}GB+${storage}`,
    (ram, storage) => `${ram}GB + ${storage}`,
    (ram, storage) => `${ram}+${storage}`,
    (ram, storage) => `${storage} + ${ram}GB RAM`,
    (ram, storage) => `(${ram}GB+${storage})`,
    (ram, storage) => `${storage}+${ram}GB`,
    (ram, storage) => `${ram}GB RAM + ${storage}`,
  ];
}

function OPEN_RAM_FORMS(): readonly RamForm[] {
  return [
    (ram, storage) => `${ram}GB ${storage}`,
    (ram, storage) => `${ram}/${storage.replace('GB', '')}`,
    (ram, storage) => `${ram}+${storage.replace('GB', '')}`,
    (ram, storage) => `${ram}G+${storage.replace('GB', 'G')}`,
    (ram, storage) => `${ram}GB RAM + ${storage} ROM`,
    (ram, storage) => `${storage} Storage ${ram}GB RAM`,
    (ram, storage) => `RAM ${ram}GB ${storage}`,
    (ram, storage) => `${ram}GB RAM ${storage.replace('GB', '')}`,
  ];
}

function writeRam(forms: readonly RamForm[]): Write {
  return (draft, random) => {
    const { ram, storage } = draft.size;
    if (ram === undefined || draft.parts.sizes === '') return false;
    // Now and then a RAM with which the phone is not sold in this size.
    const said = random.isLikely(0.1) ? random.pick([2, 3, 4, 6, 8, 12].filter((other) => other < storage)) : ram;
    draft.said.ram = said;
    draft.said.storage = storage;
    draft.parts.sizes = random.pick(forms)(said, storageText(storage));
    return true;
  };
}

function writeColour(draft: Draft, colour: string, mark: string, catalogue: Catalogue): boolean {
  draft.parts.after = mark === '(' ? `(${colour})` : `${mark}${colour}`;
  const isHeld = catalogue.products.some(
    ({ phone, name }) => phone.maker === draft.phone.maker && name.split(' ').includes(colour),
  );
  if (isHeld) draft.said.open ??= 'Words: a product name of the maker holds the colour';
  return true;
}

function breakOff(words: readonly string[], rule: string): Write {
  return (draft, random) => {
    draft.parts.after = random.pick(words);
    draft.said.broken ??= rule;
    return true;
  };
}

function contradict(column: '' | 'new', rule: string): Write {
  return (draft, random) => {
    draft.parts.after = random.pick(random.isLikely(0.7) ? NAMED_GRADES : OTHER_GRADES);
    draft.column = column;
    draft.said.condition = 'new';
    draft.said.contradiction = rule;
    return true;
  };
}
