import { SE_EDITIONS } from './catalogue.ts';
import { storageText, type Part, type Way } from './draft.ts';
import { PHONE_LIST } from './phones.ts';
import {
  addToModel, breakOff, contradict, hasPlusSibling, hasRam, isOfPair, isSold, joinWords, OPEN_RAM_FORMS, PLUS_FORMS, RAM_FORMS, restyle, rewriteModel,
  sayModel, slip, writeColour, writeOpenPlus, writeRam, writeStorage,
} from './way-parts.ts'; // prettier-ignore
import { ACCESSORIES, EDITIONS, KNOWN_COLOURS, NAMED_GRADES, NETWORK_NAMES, NOT_PHONES, OPEN_WORDS, OTHER_GRADES, SHOP_COLOURS, TRADE } from './words.ts'; // prettier-ignore

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
    of: ({ series, model }) => series !== '' && model !== '',
    slot: 'maker',
    write: (draft) => {
      if (draft.phone.series === '' || draft.phone.model === '') return false;
      draft.parts.series = '';
      draft.said.series = false;
      return true;
    },
  },
  'words joined': {
    of: ({ model }) => /[A-Za-z] ?\d|\d [A-Za-z]/.test(model) && !/[().]|2nd/.test(model),
    slot: 'model',
    write: joinWords,
  },
  'words split': {
    slot: 'model',
    write: rewriteModel((model) => model.replace(/([A-Za-z])(\d)|(\d)([A-Za-z])/, '$1$3 $2$4')),
  },
  'Plus for + or + for Plus': {
    of: ({ model }) => /(\+| Plus)$/.test(model),
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
      // `iPhone 8+ 64GB` could be read as RAM and storage; in `Phone (2a)+` a bracket stands between.
      if (/(^\d+|\)) Plus$/.test(model)) draft.said.open = 'Plus: + after a bare number';
      draft.parts.model = model.replace(' Plus', '+');
      return true;
    },
  },
  '+ that decides nothing': { of: hasPlusSibling, slot: 'model', write: writeOpenPlus },
  'a typing slip': { slot: 'slip', write: slip },
  'a word of a sibling added': {
    // `A6 (2018) Plus` has the words of the A6+ (2018).
    of: ({ model }) => !model.includes('('),
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
    // The iPhone SE goes by year and generation, and the Xperia by Roman numbers.
    of: ({ series, model }) => series !== 'Xperia' && !model.startsWith('SE'),
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
    of: ({ model }) => /\(20\d\d\)/.test(model),
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
    of: ({ model }) => /\(20\d\d\)/.test(model),
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
  'one of a 5G and 4G pair': {
    of: isOfPair,
    slot: 'generation',
    write: (draft, random) => {
      draft.said.generation = random.pick(['', '4G', '5G']);
      draft.parts.generation = draft.said.generation;
      return true;
    },
  },
  '5G spelled otherwise': {
    slot: 'generation',
    write: (draft, random) => {
      if (draft.said.generation === '') return false;
      const { generation } = draft.said;
      draft.parts.generation = random.pick([
        `(${generation})`,
        `- ${generation}`,
        generation.toLowerCase(),
        `${generation},`,
      ]);
      return true;
    },
  },
  'the whole name of a phone, and another with a series word': {
    of: ({ maker, series, words }) =>
      series === '' &&
      PHONE_LIST.some((other) => other.maker === maker && other.series !== '' && other.words === words),
    slot: 'none',
    write: () => true,
  },
  'a word of the model left out': {
    of: ({ model }) => model.includes(' '),
    slot: 'model',
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
  'RAM beside the storage': { of: hasRam, slot: 'sizes', write: writeRam(RAM_FORMS) },
  'RAM beside the storage, joined by +': { of: hasRam, slot: 'sizes', write: writeRam(PLUS_FORMS) },
  'RAM joined by +, where a Plus is a sibling': {
    of: (phone) => hasRam(phone) && hasPlusSibling(phone),
    slot: 'sizes',
    write: writeRam(PLUS_FORMS),
  },
  'two storages': {
    slot: 'sizes',
    write: (draft, random) => {
      const other = random.pick([32, 64, 128].filter((storage) => storage < draft.size.storage));
      draft.said.open = 'Storage and RAM: the smaller of the two is no RAM';
      draft.said.ram = undefined;
      draft.said.storage = draft.size.storage;
      draft.parts.sizes = `${other}GB/${storageText(draft.size.storage)}`;
      return true;
    },
    of: ({ sizes }) => sizes.every(({ storage }) => storage > 32),
  },
  'RAM in an uncommon form': {
    of: hasRam,
    slot: 'sizes',
    write: (draft, random, catalogue) => {
      draft.said.open = 'Storage and RAM: the form is not named';
      return writeRam(OPEN_RAM_FORMS)(draft, random, catalogue);
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
      if (random.isLikely(0.3) && !words.startsWith('-') && draft.parts.before === '') draft.parts.before = words;
      else draft.parts.after = words;
      return true;
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
