import {
  cellsOf,
  packFeed,
  readField,
  styleOf,
  writeField,
  writeTable,
  type Shape,
  type Style,
  type Table,
} from './feed-file.ts';
import { createRandom, type Random } from '../../fault/source/random.ts';

/** The rows that a step changes: of one retailer or network of the feed, and how large a share of these. */
export interface Where {
  /** `big` and `small` are the retailers with the most and the fewest deals, `network` the network with the most. */
  readonly part?: 'big' | 'small' | 'network';
  readonly share?: number | 'one';
}

interface OfFields {
  readonly fields: readonly string[];
  readonly where?: Where;
}

/** One damage, as data. Steps of a mutation follow each other: first the table, then its text, then its bytes. */
export type Step =
  | ({ readonly do: 'set'; readonly to: string } & OfFields)
  | ({ readonly do: 'scale'; readonly by: number; readonly places?: number; readonly keepsPence?: true } & OfFields)
  | ({ readonly do: 'replace'; readonly find: RegExp; readonly to: string } & OfFields)
  | ({ readonly do: 'shift'; readonly by?: number } & OfFields)
  | ({ readonly do: 'permute' } & OfFields)
  | { readonly do: 'swap'; readonly a: string; readonly b: string; readonly where?: Where }
  | { readonly do: 'copy'; readonly from: string; readonly to: string; readonly where?: Where }
  | { readonly do: 'subtract'; readonly from: string; readonly field: string; readonly where?: Where }
  | { readonly do: 'restate'; readonly where?: Where }
  | { readonly do: 'drop'; readonly fields: readonly string[] }
  | { readonly do: 'rename'; readonly field: string; readonly to: string }
  | { readonly do: 'swapHeaders'; readonly a: string; readonly b: string }
  | { readonly do: 'headers'; readonly find: RegExp; readonly to: string }
  | { readonly do: 'headerCase'; readonly to: 'lower' | 'upper' }
  | { readonly do: 'addColumn'; readonly column: string; readonly to: string }
  | { readonly do: 'repeat'; readonly ids: 'same' | 'new'; readonly where?: Where }
  | { readonly do: 'remove'; readonly where?: Where }
  | {
      readonly do: 'addRow';
      readonly at: number;
      readonly cells: 'header' | readonly string[] | Record<string, string>;
    }
  | { readonly do: 'shortRows'; readonly cells: number; readonly where?: Where }
  | { readonly do: 'shuffle' }
  | { readonly do: 'reverseColumns' }
  | ({ readonly do: 'style' } & Partial<Style>)
  | { readonly do: 'text'; readonly find: RegExp; readonly to: string }
  | { readonly do: 'cut'; readonly at: number; readonly on: 'line' | 'cell' }
  | { readonly do: 'dropStart'; readonly at: number }
  | { readonly do: 'dropMiddle'; readonly from: number; readonly to: number; readonly on: 'line' | 'byte' }
  | { readonly do: 'append'; readonly text: string }
  | { readonly do: 'prepend'; readonly text: string }
  | { readonly do: 'body'; readonly text: string }
  | { readonly do: 'otherFeed'; readonly feed: string }
  | { readonly do: 'twice' }
  | { readonly do: 'encode'; readonly as: Encoding }
  | { readonly do: 'pack'; readonly as: 'gzip' | 'plain' }
  | { readonly do: 'cutPacked'; readonly bytes: number }
  | { readonly do: 'missing' };

type Encoding = 'utf-16le' | 'utf-16be' | 'windows-1252' | 'mojibake' | 'double mojibake' | 'question marks' | 'nul';

/** What a mutation is given: the feed, its parts, and the other feeds of its world. */
export interface Subject {
  readonly shape: Shape;
  readonly isPacked: boolean;
  readonly table: Table;
  readonly seed: number;
  /** Every text by which the part is named. */
  readonly parts: Record<'big' | 'small' | 'network', ReadonlySet<string>>;
  readonly servedIds: ReadonlySet<string>;
  readonly bytesOf: (feed: string) => Buffer;
}

export interface Mutated {
  /** `undefined` where the file is missing. */
  readonly bytes: Buffer | undefined;
  readonly table: Table;
}

/** Damages a feed. */
export function mutate(subject: Subject, steps: readonly Step[]): Mutated {
  const work = new Work(subject);
  for (const step of steps) work.take(step);
  return { bytes: work.finish(), table: work.table };
}

class Work {
  readonly #subject: Subject;
  readonly #random: Random;
  readonly table: Table;
  readonly #style: Style;
  readonly #chosen = new Map<string, string[][]>();
  #text: string | undefined;
  #bytes: Buffer | undefined;
  #isPacked: boolean;
  #isMissing = false;
  #isFinal = false;

  constructor(subject: Subject) {
    this.#subject = subject;
    this.#random = createRandom(subject.seed);
    this.table = { header: [...subject.table.header], rows: subject.table.rows.map((row) => [...row]) };
    this.#style = styleOf(subject.shape);
    this.#isPacked = subject.isPacked;
  }

  finish(): Buffer | undefined {
    if (this.#isMissing) return undefined;
    if (this.#isFinal) return this.#bytes;
    const bytes = this.#asBytes();
    return this.#isPacked ? packFeed(bytes) : bytes;
  }

  take(step: Step): void {
    const { shape } = this.#subject;
    const { table } = this;
    switch (step.do) {
      case 'set':
        this.#change(step, () => step.to);
        return;
      case 'scale':
        this.#change(step, (text) =>
          text.replace(/\d[\d,]*(?:\.\d+)?/u, (number) => {
            const scaled = Number(number.replaceAll(',', '')) * step.by;
            // A shop whose prices end in 99 or 00 goes on so.
            if (step.keepsPence === true) return `${Math.floor(scaled)}${/\.\d+$/u.exec(number)?.[0] ?? ''}`;
            return scaled.toFixed(step.places ?? 2);
          }),
        );
        return;
      case 'replace':
        this.#change(step, (text) => text.replace(step.find, step.to));
        return;
      case 'shift':
        this.#rearrange(step, (rows) => rows.map((_, at) => rows.at((at + (step.by ?? 1)) % rows.length) ?? []));
        return;
      case 'permute':
        this.#rearrange(step, (rows) => this.#shuffled(rows));
        return;
      case 'swap':
        for (const row of this.#rows(step.where)) {
          const [a, b] = [this.#read(row, step.a), this.#read(row, step.b)];
          this.#write(row, step.a, b);
          this.#write(row, step.b, a);
        }
        return;
      case 'copy':
        for (const row of this.#rows(step.where)) this.#write(row, step.to, this.#read(row, step.from));
        return;
      case 'subtract':
        for (const row of this.#rows(step.where)) {
          const less = Number(this.#read(row, step.field));
          writeField(shape, table, row, step.from, (text) => (text === '' ? '' : (Number(text) - less).toFixed(2)));
        }
        return;
      case 'restate':
        for (const row of this.#rows(step.where)) {
          const amount = (field: string) => Number((this.#read(row, field) ?? '').replaceAll(/[£,]/gu, ''));
          const total = amount('upfrontCost') + amount('monthlyCost') * amount('contractMonths');
          writeField(shape, table, row, 'totalCost', (text) =>
            text === '' || Number(text) === 0 || Number.isNaN(total) ? text : total.toFixed(2),
          );
        }
        return;
      case 'drop':
        for (const field of step.fields) this.#dropColumn(this.#column(field));
        return;
      case 'rename':
        table.header[table.header.indexOf(this.#column(step.field))] = step.to;
        return;
      case 'swapHeaders': {
        const [a, b] = [table.header.indexOf(this.#column(step.a)), table.header.indexOf(this.#column(step.b))];
        [table.header[a], table.header[b]] = [table.header[b] ?? '', table.header[a] ?? ''];
        return;
      }
      case 'headers':
        table.header = table.header.map((column) => column.replace(step.find, step.to));
        return;
      case 'headerCase':
        table.header = table.header.map((column) =>
          step.to === 'lower' ? column.toLowerCase() : column.toUpperCase(),
        );
        return;
      case 'addColumn':
        table.header.push(step.column);
        for (const row of table.rows) row.push(step.to);
        return;
      case 'repeat': {
        const again = this.#rows(step.where).map((row, at) => {
          const copy = [...row];
          if (step.ids === 'new') writeField(shape, table, copy, 'dealId', (id) => `${id}9${at}`);
          return copy;
        });
        table.rows.push(...again);
        return;
      }
      case 'remove': {
        const gone = new Set(this.#rows(step.where));
        table.rows = table.rows.filter((row) => !gone.has(row));
        return;
      }
      case 'addRow':
        table.rows.splice(Math.round(step.at * table.rows.length), 0, this.#newRow(step.cells));
        return;
      case 'shortRows':
        for (const row of this.#rows(step.where)) row.length -= step.cells;
        return;
      case 'shuffle':
        table.rows = this.#shuffled(table.rows);
        return;
      case 'reverseColumns':
        table.header.reverse();
        for (const row of table.rows) row.reverse();
        return;
      case 'style':
        Object.assign(this.#style, step);
        return;
      case 'text':
        this.#text = this.#asText().replace(step.find, step.to);
        return;
      case 'cut':
        this.#cut(step.at, step.on);
        return;
      case 'dropStart': {
        const lines = this.#asText().split('\n');
        this.#text = lines.slice(Math.round(lines.length * step.at)).join('\n');
        return;
      }
      case 'dropMiddle': {
        const text = this.#asText();
        const pieces = step.on === 'line' ? text.split(/(?<=\n)/u) : Array.from(text);
        const [from, to] = [Math.round(pieces.length * step.from), Math.round(pieces.length * step.to)];
        this.#text = [...pieces.slice(0, from), ...pieces.slice(to)].join('');
        return;
      }
      case 'append':
        this.#text = this.#asText() + step.text;
        return;
      case 'prepend':
        this.#text = step.text + this.#asText();
        return;
      case 'body':
        this.#text = step.text;
        return;
      case 'otherFeed':
        this.#bytes = this.#subject.bytesOf(step.feed);
        this.#isFinal = true;
        return;
      case 'twice':
        this.#text = this.#asText() + this.#asText();
        return;
      case 'encode':
        this.#bytes = encode(this.#asText(), step.as);
        return;
      case 'pack':
        this.#isPacked = step.as === 'gzip';
        return;
      case 'cutPacked': {
        const packed = packFeed(this.#asBytes());
        this.#bytes = packed.subarray(0, step.bytes < 0 ? packed.length + step.bytes : step.bytes);
        this.#isFinal = true;
        return;
      }
      case 'missing':
        this.#isMissing = true;
        return;
    }
  }

  #asText(): string {
    this.#text ??= writeTable(this.#subject.shape, this.table, this.#style);
    return this.#text;
  }

  #asBytes(): Buffer {
    return this.#bytes ?? Buffer.from(this.#asText());
  }

  #column(field: string): string {
    return cellsOf(this.#subject.shape, field)[0]?.column ?? field;
  }

  #dropColumn(column: string): void {
    const index = this.table.header.indexOf(column);
    if (index < 0) throw new RangeError(`column ${column}: expected in the header`);
    this.table.header.splice(index, 1);
    for (const row of this.table.rows) row.splice(index, 1);
  }

  #read(row: readonly string[], field: string): string | undefined {
    return readField(this.#subject.shape, this.table, row, field)[0];
  }

  #write(row: string[], field: string, fact: string | undefined): void {
    if (fact !== undefined) writeField(this.#subject.shape, this.table, row, field, () => fact);
  }

  /** The rows that are meant, of these the served ones where only some are. */
  #rows(where: Where | undefined): string[][] {
    const { part, share } = where ?? {};
    if (part === undefined && share === undefined) return this.table.rows;
    const key = JSON.stringify(where);
    const rows = this.#chosen.get(key) ?? this.#choose(part, share);
    // The steps of a mutation change the same rows, regardless of what these are called by then.
    this.#chosen.set(key, rows);
    return rows;
  }

  #choose(part: Where['part'], share: Where['share']): string[][] {
    const names = part === undefined ? undefined : this.#subject.parts[part];
    const field = part === 'network' ? 'network' : 'retailer';
    const served = this.table.rows.filter(
      (row) =>
        this.#subject.servedIds.has(this.#read(row, 'dealId') ?? '') &&
        (names === undefined || names.has(this.#read(row, field) ?? '')),
    );
    if (served.length === 0) throw new RangeError(`no rows of ${part ?? 'the feed'}`);
    if (share === undefined) return served;
    const count = share === 'one' ? 1 : Math.max(1, Math.round(served.length * share));
    const chosen = new Set(this.#shuffled(served).slice(0, count));
    return served.filter((row) => chosen.has(row));
  }

  #shuffled<T>(items: readonly T[]): T[] {
    const result = [...items];
    for (let i = result.length - 1; i > 0; i--) {
      const other = this.#random(i + 1);
      [result[i], result[other]] = [result[other] as T, result[i] as T];
    }
    return result;
  }

  #change(step: OfFields, fact: (before: string) => string | undefined): void {
    for (const row of this.#rows(step.where)) {
      for (const field of step.fields) writeField(this.#subject.shape, this.table, row, field, fact);
    }
  }

  /** Gives rows the facts of other rows. */
  #rearrange(step: OfFields, arrange: (rows: string[][]) => string[][]): void {
    const rows = this.#rows(step.where);
    const givers = arrange(rows.map((row) => [...row]));
    const { shape } = this.#subject;
    rows.forEach((row, at) => {
      for (const field of step.fields) {
        const facts = readField(shape, this.table, givers[at] ?? [], field);
        writeField(shape, this.table, row, field, (_, place) => facts[place]);
      }
    });
  }

  #newRow(cells: 'header' | readonly string[] | Record<string, string>): string[] {
    const { table } = this;
    if (cells === 'header') return [...table.header];
    if (Array.isArray(cells)) return [...(cells as readonly string[])];
    const row = [...(table.rows[0] ?? [])];
    for (const [field, fact] of Object.entries(cells as Record<string, string>)) this.#write(row, field, fact);
    return row;
  }

  #cut(at: number, on: 'line' | 'cell'): void {
    const text = this.#asText();
    const end = Math.round(text.length * at);
    if (on === 'line') this.#text = text.slice(0, text.lastIndexOf('\n', end) + 1);
    else {
      // Inside a line: never at its end.
      const inside = text[end - 1] === '\n' || text[end] === '\n' ? end - 3 : end;
      this.#text = text.slice(0, inside);
    }
  }
}

function encode(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'utf-16le':
      return Buffer.from(`\uFEFF${text}`, 'utf16le');
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16();
    case 'windows-1252':
      return toWindows1252(text);
    case 'mojibake':
      return Buffer.from(misread(text));
    case 'double mojibake':
      return Buffer.from(misread(misread(text)));
    case 'question marks':
      return Buffer.from(text.replaceAll(/[^\p{ASCII}]/gu, '\uFFFD'));
    case 'nul':
      return Buffer.from(text.replaceAll(/\n(?=.*\n)/gu, '\n').replaceAll('GB', 'GB\0'));
  }
}

/** What windows-1252 has from 0x80 to 0x9F, an unused byte as itself. `TextDecoder` of Node 20 reads ISO 8859-1 in its place. */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

/** UTF-8 taken for windows-1252. */
const misread = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => HIGH[byte - 0x80] ?? String.fromCharCode(byte)).join('');

function toWindows1252(text: string): Buffer {
  const bytes = Array.from(text, (sign) => {
    const high = HIGH.indexOf(sign);
    if (high >= 0) return 0x80 + high;
    return sign.charCodeAt(0) < 0x100 ? sign.charCodeAt(0) : 0x3f;
  });
  return Buffer.from(bytes);
}
