import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A damage of one file of the CMS: its text, a part of its own text, or none where the file is missing. */
interface FileStep {
  readonly file: string;
  readonly text?: string;
  /** How much of the text is left. */
  readonly share?: number;
  readonly characters?: number;
  readonly find?: string;
  readonly to?: string;
}

type CmsRecord = Record<string, unknown>;

const CHOICES = {
  'first with the id of the second': (records) => [{ ...records[0], id: records[1]?.['id'] }, ...records.slice(1)],
  'every second': (records) => records.filter((_, at) => at % 2 === 0),
  'all but the first': (records) => records.slice(1),
  twice: (records) => [...records, ...records],
} as const satisfies Record<string, (records: readonly CmsRecord[]) => CmsRecord[]>;

/** A damage of all records of one list: one of these. */
interface ListStep {
  readonly list: 'products' | 'networks' | 'retailers' | 'gifts' | 'giftCategories';
  readonly set?: CmsRecord;
  readonly drop?: string;
  /** The key under which what is dropped goes on. */
  readonly as?: string;
  /** Keys that each record takes from the next one. */
  readonly move?: readonly string[];
  /** A key whose text is replaced: by another word, or where a pattern is found. */
  readonly replace?: string;
  readonly by?: Readonly<Record<string, string>>;
  readonly find?: string;
  readonly to?: string;
  readonly records?: keyof typeof CHOICES;
}

export type CmsStep = FileStep | ListStep;

/** The lists of one file, damaged; undefined where the file is missing. */
function damageCms(name: string, text: string, step: CmsStep): string | undefined {
  if ('file' in step) return step.file === name ? damageText(text, step) : text;
  const lists = JSON.parse(text) as Record<string, CmsRecord[]>;
  const records = lists[step.list];
  return records === undefined ? text : JSON.stringify({ ...lists, [step.list]: damageRecords(records, step) });
}

/** Damages the files of a folder. */
export function damageCmsFolder(folder: string, step: CmsStep): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const text = damageCms(name, readFileSync(path, 'utf8'), step);
    if (text === undefined) rmSync(path);
    else writeFileSync(path, text);
  }
}

function damageText(own: string, { text, share, characters, find, to = '' }: FileStep): string | undefined {
  if (find !== undefined) return own.replace(find, to);
  if (share !== undefined) return own.slice(0, own.length * share);
  return characters === undefined ? text : own.slice(0, characters);
}

function damageRecords(records: readonly CmsRecord[], step: ListStep): CmsRecord[] {
  const { set = {}, drop, as, move = [], replace, by, find, to = '' } = step;
  if (step.records !== undefined) return CHOICES[step.records](records);
  return records.map((record, at) => {
    const next = records[(at + 1) % records.length] ?? record;
    const damaged: CmsRecord = { ...record, ...set, ...Object.fromEntries(move.map((key) => [key, next[key]])) };
    if (drop !== undefined) delete damaged[drop];
    if (drop !== undefined && as !== undefined) damaged[as] = record[drop];
    if (replace !== undefined) {
      const text = String(record[replace]);
      damaged[replace] = by === undefined ? text.replace(new RegExp(find ?? '', 'u'), to) : by[text];
    }
    return damaged;
  });
}
