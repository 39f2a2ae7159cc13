import { SE_EDITIONS } from './catalogue.ts';
import { storageText, type Draft, type Part, type Way, type Write } from './draft.ts';
import { PHONE_LIST } from './phones.ts';
import {
  addToModel,
  addWords,
  contradict,
  hasPlusSibling,
  hasRam,
  isOfPair,
  isSold,
  joinWords,
  leaveOut,
  ofRefurbished,
  restyle,
  rewriteModel,
  sayGeneration,
  sayModel,
  slip,
  writeColour,
  writeOpenPlus,
  writeRam,
  writeStorage,
} from './way-parts.ts';
import WORDS from './fixture/words.json' with { type: 'json' };

const MARKS_BEFORE_SIZE = [', $1', ' - $1', ' | $1', ' ($1)', ': $1'];

/** The ways in which shops write a name, by slot; two of one slot do not go together. */
const BY_SLOT: Readonly<Record<string, Readonly<Record<string, Write | Omit<Way, 'slot'>>>>> = {
  none: {
    'as the maker writes it': () => true,
    'the whole name of a phone, and another with a series word': {
      of: ({ maker, series, words }) =>
        series === '' &&
        PHONE_LIST.some((other) => other.maker === maker && other.series !== '' && other.words === words),
      write: () => true,
    },
  },
  style: {
    'upper or lower case': restyle([(text) => text.toUpperCase(), (text) => text.toLowerCase()]),
    'other marks and spaces': restyle([
      (text) => text.replaceAll(' ', '  '),
      (text) => ` ${text}  `,
      (text) => text.replaceAll(' ', '\u00a0'),
      (text) => text.replaceAll(/(Galaxy|iPhone|Pixel|Xperia)/g, '$1®'),
      (text) => text.replaceAll(/(Galaxy|iPhone|Pixel|Xperia|Redmi)/g, '$1™'),
      (text) => text.replaceAll(/(Galaxy|iPhone|Pixel|Xperia|Redmi)/g, '$1(R)'),
      (text) => text.replace(/^(Samsung|Apple|Google|Sony|Nokia|Honor)/, '$1(TM)'),
      ...MARKS_BEFORE_SIZE.map((marked) => (text: string) => text.replace(/ (\d+GB|1TB)/, marked)),
    ]),
    'hyphens or underscores for spaces': restyle([
      (text) => text.replaceAll(' ', '-'),
      (text) => text.replaceAll(' ', '_'),
    ]),
  },
  order: {
    'another order': (draft, random) => {
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
  maker: {
    'maker doubled': (draft) => {
      draft.parts.maker = `${draft.phone.maker} ${draft.phone.maker}`;
      return true;
    },
    'maker left out': leaveOut('maker'),
    'maker and series left out': leaveOutBoth,
    'series word left out': { of: ({ series, model }) => series !== '' && model !== '', write: leaveOut('series') },
  },
  model: {
    'words joined': {
      of: ({ model }) => /[A-Za-z] ?\d|\d [A-Za-z]/.test(model) && !/[().]|2nd/.test(model),
      write: joinWords,
    },
    'words split': rewriteModel((model) => model.replace(/([A-Za-z])(\d)|(\d)([A-Za-z])/, '$1$3 $2$4')),
    'Plus for + or + for Plus': {
      of: ({ model }) => /(\+| Plus)$/.test(model),
      write: (draft, random) => {
        const { model } = draft.phone;
        // `iPhone 8+ 64GB` could be read as RAM and storage; in `Phone (2a)+` a bracket stands between.
        if (/(^\d+|\)) Plus$/.test(model)) draft.said.open = 'Plus: + after a bare number';
        draft.parts.model = model.endsWith('+')
          ? `${model.slice(0, -1)} ${random.pick(['Plus', 'plus', 'PLUS'])}`
          : model.replace(' Plus', '+');
        return draft.parts.model !== model;
      },
    },
    '+ that decides nothing': { of: hasPlusSibling, write: writeOpenPlus },
    'a word of a sibling added': {
      // `A6 (2018) Plus` has the words of the A6+ (2018), and `12+ Pro` those of the 12 Pro+.
      of: ({ model }) => !/[(+]/.test(model),
      write: addToModel(WORDS.modelWords),
    },
    'a year or generation added': {
      // The iPhone SE goes by year and generation, and the Xperia by Roman numbers.
      of: ({ series, model }) => series !== 'Xperia' && !model.startsWith('SE'),
      write: addToModel(WORDS.generationWords),
    },
    'year or generation written otherwise': {
      of: ({ model }) => /\(20\d\d\)/.test(model),
      write: (draft, random) => {
        const { model } = draft.phone;
        const edition = random.pick(SE_EDITIONS[model] ?? [model.replace(/\((\d{4})\)/, '$1')]);
        draft.parts.model = edition;
        return edition !== model;
      },
    },
    'year left out': {
      of: ({ model }) => /\(20\d\d\)/.test(model),
      write: (draft) => {
        const model = draft.phone.model.replace(/ \(20\d\d\)$/, '');
        return model !== draft.phone.model && sayModel(draft, model);
      },
    },
    'a word of the model left out': {
      of: ({ model }) => model.includes(' '),
      write: (draft, random) => {
        const words = draft.phone.model.split(' ');
        const [left] = words.splice(random.below(words.length), 1);
        const model = words.join(' ');
        // Without `Edition` this says of the condition what it said of the model (`P30 Pro New Edition`).
        if (words.at(-1) === 'New') return false;
        // Shops leave these out, and few phones differ by them.
        if (!/^(Z|ThinQ|NFC)$/.test(left ?? '') || isSold(draft.phone, model)) return sayModel(draft, model);
        draft.said.open ??= `Words: ${left} left out`;
        draft.parts.model = model;
        return true;
      },
    },
    'a word of the model on the other side of its number': {
      of: ({ model }) => /^(?:Note|Mate|Nord|Edge|Fusion|Neo) ?\d|^\d+ (?:Note|Neo|Fusion)$/.test(model),
      write: (draft) => {
        const model = draft.phone.model.replace(/^([A-Za-z]+) ?(\d+)|^(\d+) ([A-Za-z]+)$/, '$2$4 $1$3').trim();
        return model !== draft.phone.model && sayModel(draft, model);
      },
    },
  },
  slip: {
    'a typing slip': slip,
  },
  generation: {
    '5G added or left out': sayGeneration((said) => (said === '5G' ? '' : '5G')),
    '4G added or left out': sayGeneration((said) => (said === '5G' ? undefined : said === '4G' ? '' : '4G')),
    'one of a 5G and 4G pair': { of: isOfPair, write: sayGeneration((_, random) => random.pick(['', '4G', '5G'])) },
    '5G spelled otherwise': (draft, random) => {
      const { generation } = draft.said;
      if (generation === '') return false;
      const spelled = [`(${generation})`, `- ${generation}`, generation.toLowerCase(), `${generation},`];
      draft.parts.generation = random.pick(spelled);
      return true;
    },
  },
  sizes: {
    'storage spelled otherwise': (draft, random) =>
      writeStorage(draft, (number, unit) => {
        const small = unit.toLowerCase();
        const glued = `${number}${unit}`;
        return random.pick([
          `${number} ${unit}`,
          `${number}${small}`,
          `(${glued})`,
          `${number} ${small}`,
          `- ${glued}`,
        ]);
      }),
    'storage without unit': (draft) => {
      // A smaller number could be one of the model (`Moto G 64`, `Redmi 12 64`).
      if (draft.size.storage < 128) draft.said.open = 'Storage and RAM: could the number be something else?';
      return draft.size.storage < 1024 && writeStorage(draft, (number) => number);
    },
    'RAM beside the storage': { of: hasRam, write: writeRam(WORDS.ramForms) },
    'RAM beside the storage, joined by +': { of: hasRam, write: writeRam(WORDS.ramFormsWithPlus) },
    'RAM joined by +, where a Plus is a sibling': {
      of: (phone) => hasRam(phone) && hasPlusSibling(phone),
      write: writeRam(WORDS.ramFormsWithPlus),
    },
    'two storages': {
      write: (draft, random) => {
        const other = random.pick([32, 64, 128].filter((storage) => storage < draft.size.storage));
        draft.said.open = 'Storage and RAM: the smaller of the two is no RAM';
        return saySizes(draft, draft.size.storage, `${other}GB/${storageText(draft.size.storage)}`);
      },
      of: ({ sizes }) => sizes.every(({ storage }) => storage > 32),
    },
    'RAM in an uncommon form': {
      of: hasRam,
      write: writeRam(WORDS.openRamForms, 'Storage and RAM: the form is not named'),
    },
    'storage left out': (draft) => saySizes(draft, undefined, ''),
    'another storage': (draft, random) => {
      const storage = random.pick([16, 32, 64, 128, 256, 512, 1024]);
      return saySizes(draft, storage, storageText(storage));
    },
  },
  after: {
    'a known colour': (draft, random, catalogue) =>
      writeColour(draft, random.pick(WORDS.knownColours), random.pick(['', '- ', ', ', '(']), catalogue),
    'a known colour after +': (draft, random, catalogue) =>
      draft.parts.sizes !== '' && writeColour(draft, random.pick(WORDS.knownColours), '+ ', catalogue),
    "a shop's colour that is not declared": addWords('after', WORDS.shopColours, {
      open: 'Words: is it a known colour?',
    }),
    'words of the trade': (draft, random) => {
      const words = random.pick(WORDS.trade);
      if (random.isLikely(0.3) && !words.startsWith('-') && draft.parts.before === '') draft.parts.before = words;
      else draft.parts.after = words;
      return true;
    },
    "a network's name in brackets": addWords(
      'after',
      WORDS.networkNames.map((name) => `(${name})`),
    ),
    'a word that INPUTS does not name': addWords('after', WORDS.openWords, {
      open: 'Words: INPUTS does not name this word of the trade',
    }),
    'an accessory': addWords('after', WORDS.accessories, { broken: 'Words: every other word must agree' }),
    'a special edition': addWords('after', WORDS.editions, { broken: 'Words: every other word must agree' }),
    'a grade beside refurbished': ofRefurbished(addWords('after', WORDS.namedGrades)),
    'an uncommon grade beside refurbished': ofRefurbished(
      addWords('after', WORDS.otherGrades, { open: 'Condition: INPUTS does not name the grade' }),
    ),
    'a grade beside new': contradict('new', 'Condition: beside a stated new it is a contradiction'),
    'a grade without a condition': contradict('', 'Condition: without a stated condition it is quarantined'),
  },
  before: {
    'a known colour before the name': (draft, random, catalogue) => {
      const { maker } = draft.parts;
      if (maker === '' || draft.order[1] !== 'maker' || draft.parts.before !== '') return false;
      const colour = random.pick(WORDS.knownColours);
      const { after } = draft.parts;
      writeColour(draft, colour, '', catalogue);
      draft.parts.after = after;
      draft.parts.before = colour;
      return true;
    },
    'refurbished, and said so': ofRefurbished(addWords('before', WORDS.refurbishedWords)),
    'new in the name': (draft) => {
      draft.parts.before = 'New';
      if (draft.said.condition === 'refurbished')
        draft.said.contradiction = 'Condition: a column that disagrees with the name';
      // INPUTS does not say that `New` is a condition word.
      else draft.said.open ??= 'Condition: is New set aside?';
      return true;
    },
  },
  all: {
    'not a phone, or no model': (draft, random) => {
      draft.said.broken = 'Words: no product has the words of the model';
      const words = [random.pick(WORDS.notPhones), random.pick(['', draft.parts.sizes])];
      const text = [...words, random.pick(['', ...WORDS.knownColours])].join(' ').trim();
      draft.style = () => text;
      return true;
    },
  },
};

export const WAYS: Readonly<Record<string, Way>> = Object.fromEntries(
  Object.entries(BY_SLOT).flatMap(([slot, ways]) =>
    Object.entries(ways).map(([name, way]) => [name, { slot, ...(typeof way === 'function' ? { write: way } : way) }]),
  ),
);

/** Not for a series word that the name has in another form. */
function leaveOutBoth(draft: Draft): boolean {
  if (draft.phone.model === '' || draft.parts.series !== draft.phone.series) return false;
  draft.parts.maker = '';
  draft.parts.series = '';
  draft.said.maker = false;
  draft.said.series = false;
  return true;
}

function saySizes(draft: Draft, storage: number | undefined, text: string): boolean {
  draft.said.storage = storage;
  draft.said.ram = undefined;
  draft.parts.sizes = text;
  return true;
}
