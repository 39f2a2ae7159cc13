import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type CmsRecord = Record<string, unknown>;

const CHOICES = {
  'first with the id of the second': (records) => [{ ...records[0], id: records[1]?.['id'] }, ...records.slice(1)],
  'every second': (records) => records.filter((_, at) => at % 2 === 0),
  'all but the first': (records) => records.slice(1),
  twice: (records) => [...records, ...records],
} as const satisfies Record<string, (records: readonly CmsRecord[]) => CmsRecord[]>;

/** A damage of one file of the CMS, or of all records of one list: one of these. */
export interface CmsStep {
  readonly file?: string;
  /** The text of the file in place of its own; without any of these four the file is missing. */
  readonly text?: string;
  /** How much of the text is left. */
  readonly share?: number;
  readonly characters?: number;
  /** A pattern in the text of the file, or of the key to `replace`. */
  readonly find?: string;
  readonly to?: string;

  readonly list?: 'products' | 'networks' | 'retailers' | 'gifts' | 'giftCategories';
  readonly set?: CmsRecord;
  readonly drop?: string;
  /** The key under which what is dropped goes on. */
  readonly as?: string;
  /** Keys that each record takes from the next one. */
  readonly move?: readonly string[];
  /** A key whose text is replaced: by another word, or where a pattern is found. */
  readonly replace?: string;
  readonly by?: Readonly<Record<string, string>>;
  readonly records?: keyof typeof CHOICES;
}

/** Damages the files of a folder. */
export function damageCms(folder: string, step: CmsStep): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const own = readFileSync(path, 'utf8');
    const text = step.file === undefined ? damageList(own, step) : step.file === name ? damageText(own, step) : own;
    if (text === undefined) rmSync(path);
    else writeFileSync(path, text);
  }
}

function damageText(own: string, { text, share, characters, find, to = '' }: CmsStep): string | undefined {
  if (find !== undefined) return own.replace(find, to);
  if (share !== undefined) return own.slice(0, own.length * share);
  return characters === undefined ? text : own.slice(0, characters);
}

function damageList(own: string, step: CmsStep): string {
  const { list = '', set = {}, drop, as, move = [], replace, by, find = '', to = '' } = step;
  const lists = JSON.parse(own) as Record<string, CmsRecord[]>;
  const records = lists[list];
  if (records === undefined) return own;
  if (step.records !== undefined) return JSON.stringify({ ...lists, [list]: CHOICES[step.records](records) });
  const damaged = records.map((record, at) => {
    const next = records[(at + 1) % records.length] ?? record;
    const changed: CmsRecord = { ...record, ...set, ...Object.fromEntries(move.map((key) => [key, next[key]])) };
    if (drop !== undefined) delete changed[drop];
    if (drop !== undefined && as !== undefined) changed[as] = record[drop];
    if (replace === undefined) return changed;
    const text = String(record[replace]);
    return { ...changed, [replace]: by === undefined ? text.replace(new RegExp(find, 'u'), to) : by[text] };
  });
  return JSON.stringify({ ...lists, [list]: damaged });
}
