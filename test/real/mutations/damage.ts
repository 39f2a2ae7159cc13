import { createRandom, type Random } from '../../support/random.ts';
import type { ServedDeal } from '../../support/served-deals.ts';
import {
  columnOf,
  packFeed,
  readField,
  styleOf,
  writeField,
  writeTable,
  type FeedFile,
  type Style,
  type Table,
} from './feed-file.ts';

/** The rows that a step changes: of one retailer or network of the feed, and how large a share of these. */
export interface Where {
  /** `big` and `small` are retailers with many and few deals, `network` the network with the most. */
  readonly part?: Part;
  readonly share?: number | 'one';
}

type Part = 'big' | 'small' | 'network';

/** One damage, as data; `do` says which of the others it reads. Steps follow each other: table, then text, then bytes. */
export interface Step {
  readonly do: keyof typeof STEPS;
  readonly where: Where;
  readonly fields: readonly string[];
  readonly find: RegExp;
  readonly to: string;
  readonly by: number;
  readonly places: number;
  /** A shop whose prices end in 99 or 00 goes on so. */
  readonly keepsPence: boolean;
  /** Where it begins and ends, as shares of the whole. */
  readonly at: number;
  readonly end: number;
  readonly on: 'line' | 'cell' | 'byte';
  /** The facts of a new row that differ from the first, or the header once more. */
  readonly cells: 'header' | Readonly<Record<string, string>>;
  readonly style: Partial<Style>;
}

/** A feed to be damaged, what its world serves of it, and the other feeds of the world. */
export interface Subject {
  readonly file: FeedFile;
  readonly seed: number;
  readonly servedDeal: (id: string) => ServedDeal | undefined;
  /** The slug that each part has. */
  readonly parts: Readonly<Record<Part, string>>;
  readonly bytesOf: (feed: string) => Buffer;
}

export interface Damaged {
  /** `undefined` where the file is missing. */
  readonly bytes: Buffer | undefined;
  readonly table: Table;
}

export function damageFeed(subject: Subject, steps: readonly Step[]): Damaged {
  const draft = new Draft(subject);
  for (const step of steps) STEPS[step.do](draft, step);
  return { bytes: draft.finish(), table: draft.table };
}

/** A feed while it is damaged. */
class Draft {
  readonly subject: Subject;
  readonly table: Table;
  readonly style: Style;
  isPacked: boolean;
  /** What is sent as it is. */
  final: { readonly bytes: Buffer | undefined } | undefined;
  bytes: Buffer | undefined;
  #text: string | undefined;
  readonly #random: Random;
  readonly #chosen = new Map<string, string[][]>();

  constructor(subject: Subject) {
    const { file, seed } = subject;
    this.subject = subject;
    this.#random = createRandom(seed);
    this.table = { header: [...file.table.header], rows: file.table.rows.map((row) => [...row]) };
    this.style = styleOf(file.shape);
    this.isPacked = file.isPacked;
  }

  get text(): string {
    return (this.#text ??= writeTable(this.subject.file.shape, this.table, this.style));
  }

  set text(text: string) {
    this.#text = text;
  }

  finish(): Buffer | undefined {
    if (this.final !== undefined) return this.final.bytes;
    const bytes = this.bytes ?? Buffer.from(this.text);
    return this.isPacked ? packFeed(bytes) : bytes;
  }

  read(row: readonly string[], field = ''): string | undefined {
    return readField(this.subject.file.shape, this.table, row, field)[0];
  }

  write(row: string[], field = '', change: (before: string, place: number) => string | undefined): void {
    writeField(this.subject.file.shape, this.table, row, field, change);
  }

  /** Where the column of a field stands in the header. */
  indexOf(field = ''): number {
    const column = columnOf(this.subject.file.shape, field);
    const index = this.table.header.indexOf(column);
    if (index < 0) throw new RangeError(`column ${column}: expected in the header`);
    return index;
  }

  /** The rows that are meant, of these the served ones where only some are; the steps of a mutation mean the same rows. */
  rows(where: Where): string[][] {
    if (where.part === undefined && where.share === undefined) return this.table.rows;
    const key = JSON.stringify(where);
    const rows = this.#chosen.get(key) ?? this.#choose(where);
    this.#chosen.set(key, rows);
    return rows;
  }

  #choose({ part, share }: Where): string[][] {
    const { servedDeal, parts } = this.subject;
    const served = this.table.rows.filter((row) => {
      const deal = servedDeal(this.read(row, 'dealId') ?? '');
      if (deal === undefined || part === undefined) return deal !== undefined;
      return (part === 'network' ? deal.network_slug : deal.retailer_slug) === parts[part];
    });
    if (served.length === 0) throw new RangeError(`no rows of ${part ?? 'the feed'}`);
    if (share === undefined) return served;
    const count = share === 'one' ? 1 : Math.max(1, Math.round(served.length * share));
    const chosen = new Set(this.shuffled(served).slice(0, count));
    return served.filter((row) => chosen.has(row));
  }

  shuffled<T>(items: readonly T[]): T[] {
    return this.#random.shuffled(items);
  }

  changeFields({ where, fields }: Step, change: (before: string) => string | undefined): void {
    for (const row of this.rows(where)) for (const field of fields) this.write(row, field, change);
  }

  /** Gives rows the facts of other rows. */
  rearrange({ where, fields }: Step, arrange: (rows: string[][]) => string[][]): void {
    const rows = this.rows(where);
    const givers = arrange(rows.map((row) => [...row]));
    for (const [at, row] of rows.entries()) {
      for (const field of fields) {
        const facts = readField(this.subject.file.shape, this.table, givers[at] ?? [], field);
        this.write(row, field, (_, place) => facts[place]);
      }
    }
  }
}

/** What can be done to a feed. */
const STEPS = {
  set: (draft, step) => draft.changeFields(step, () => step.to),
  replace: (draft, step) => draft.changeFields(step, (text) => text.replace(step.find, step.to)),
  scale: (draft, step) =>
    draft.changeFields(step, (text) =>
      text.replace(/\d[\d,]*(?:\.\d+)?/u, (number) => {
        const scaled = Number(number.replaceAll(',', '')) * step.by;
        if (step.keepsPence) return `${Math.floor(scaled)}${/\.\d+$/u.exec(number)?.[0] ?? ''}`;
        return scaled.toFixed(step.places);
      }),
    ),
  shift: (draft, step) =>
    draft.rearrange(step, (rows) => rows.map((_, at) => rows.at((at + step.by) % rows.length) ?? [])),
  permute: (draft, step) => draft.rearrange(step, (rows) => draft.shuffled(rows)),
  swap: (draft, { where, fields: [a, b] }) => {
    for (const row of draft.rows(where)) {
      const [first, second] = [draft.read(row, a), draft.read(row, b)];
      draft.write(row, a, () => second);
      draft.write(row, b, () => first);
    }
  },
  copy: (draft, { where, fields: [from, to] }) => {
    for (const row of draft.rows(where)) draft.write(row, to, () => draft.read(row, from));
  },
  subtract: (draft, { where, fields: [from, less] }) => {
    for (const row of draft.rows(where)) {
      const amount = Number(draft.read(row, less));
      draft.write(row, from, (text) => (text === '' ? '' : (Number(text) - amount).toFixed(2)));
    }
  },
  restate: (draft, { where }) => {
    for (const row of draft.rows(where)) {
      const amount = (field: string) => Number((draft.read(row, field) ?? '').replaceAll(/[£,]/gu, ''));
      const total = amount('upfrontCost') + amount('monthlyCost') * amount('contractMonths');
      const isLeft = (text: string) => text === '' || Number(text) === 0 || Number.isNaN(total);
      draft.write(row, 'totalCost', (text) => (isLeft(text) ? text : total.toFixed(2)));
    }
  },

  drop: (draft, { fields }) => {
    for (const field of fields) {
      const index = draft.indexOf(field);
      for (const row of [draft.table.header, ...draft.table.rows]) row.splice(index, 1);
    }
  },
  rename: (draft, { fields: [field], to }) => {
    draft.table.header[draft.indexOf(field)] = to;
  },
  swapHeaders: (draft, { fields: [a, b] }) => {
    const { header } = draft.table;
    const [first, second] = [draft.indexOf(a), draft.indexOf(b)];
    [header[first], header[second]] = [header[second] ?? '', header[first] ?? ''];
  },
  headers: ({ table }, { find, to }) => {
    table.header = table.header.map((column) => column.replace(find, to));
  },
  headerCase: ({ table }, { to }) => {
    table.header = table.header.map((column) => (to === 'lower' ? column.toLowerCase() : column.toUpperCase()));
  },
  addColumn: ({ table }, { fields: [column = ''], to }) => {
    table.header.push(column);
    for (const row of table.rows) row.push(to);
  },
  reverseColumns: ({ table }) => {
    for (const row of [table.header, ...table.rows]) row.reverse();
  },

  repeat: (draft, { where, to }) => {
    const copies = draft.rows(where).map((row) => [...row]);
    if (to === 'new') for (const [at, copy] of copies.entries()) draft.write(copy, 'dealId', (id) => `${id}9${at}`);
    draft.table.rows.push(...copies);
  },
  remove: (draft, { where }) => {
    const gone = new Set(draft.rows(where));
    draft.table.rows = draft.table.rows.filter((row) => !gone.has(row));
  },
  addRow: (draft, { at, cells }) => {
    const { header, rows } = draft.table;
    const row = [...(cells === 'header' ? header : (rows[0] ?? []))];
    const facts = cells === 'header' ? [] : Object.entries(cells);
    for (const [field, fact] of facts) draft.write(row, field, () => fact);
    rows.splice(Math.round(at * rows.length), 0, row);
  },
  shortRows: (draft, { where, by }) => {
    for (const row of draft.rows(where)) row.length -= by;
  },
  shuffle: (draft) => {
    draft.table.rows = draft.shuffled(draft.table.rows);
  },

  style: (draft, { style }) => {
    Object.assign(draft.style, style);
  },
  text: (draft, { find, to }) => {
    draft.text = draft.text.replace(find, to);
  },
  body: (draft, { to }) => {
    draft.text = to;
  },
  cut: (draft, { at, on }) => {
    const { text } = draft;
    const end = Math.round(text.length * at);
    // Inside a line is never at its end.
    const inside = text[end - 1] === '\n' || text[end] === '\n' ? end - 3 : end;
    draft.text = text.slice(0, on === 'line' ? text.lastIndexOf('\n', end) + 1 : inside);
  },
  dropMiddle: (draft, { at, end, on }) => {
    const pieces = on === 'line' ? draft.text.split(/(?<=\n)/u) : Array.from(draft.text);
    pieces.splice(Math.round(pieces.length * at), Math.round(pieces.length * end) - Math.round(pieces.length * at));
    draft.text = pieces.join('');
  },

  encode: (draft, { to }) => {
    draft.bytes = ENCODINGS[to]?.(draft.text);
  },
  pack: (draft, { to }) => {
    draft.isPacked = to === 'gzip';
  },
  cutPacked: (draft, { by }) => {
    const packed = packFeed(Buffer.from(draft.text));
    draft.final = { bytes: packed.subarray(0, by < 0 ? packed.length + by : by) };
  },
  otherFeed: (draft, { to }) => {
    draft.final = { bytes: draft.subject.bytesOf(to) };
  },
  missing: (draft) => {
    draft.final = { bytes: undefined };
  },
} as const satisfies Record<string, (draft: Draft, step: Step) => void>;

/** What windows-1252 has from 0x80 to 0x9F, an unused byte as itself. `TextDecoder` of Node 20 reads ISO 8859-1 in its place. */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

/** UTF-8 taken for windows-1252. */
const misread = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => HIGH[byte - 0x80] ?? String.fromCharCode(byte)).join('');

const toWindows1252 = (sign: string): number => {
  const high = HIGH.indexOf(sign);
  if (high >= 0) return 0x80 + high;
  return sign.charCodeAt(0) < 0x100 ? sign.charCodeAt(0) : 0x3f;
};

const ENCODINGS: Readonly<Record<string, (text: string) => Buffer>> = {
  'utf-16le': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'utf-16be': (text) => Buffer.from(text, 'utf16le').swap16(),
  'windows-1252': (text) => Buffer.from(Array.from(text, toWindows1252)),
  mojibake: (text) => Buffer.from(misread(text)),
  'double mojibake': (text) => Buffer.from(misread(misread(text))),
  'question marks': (text) => Buffer.from(text.replaceAll(/[^\p{ASCII}]/gu, '\uFFFD')),
  nul: (text) => Buffer.from(text.replaceAll('GB', 'GB\0')),
};
