import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Phone, Size } from './phones.ts';
import { WORDS } from './words.ts';

const { specSeries: SERIES, specMakers: MAKERS } = WORDS;

/**
 * The phones since 2016 of the specification tables in `folder` (a table of GSMArena, records of TechAPI), which are no part
 * of the repository. They are closer siblings than those of the own list, and nothing is known of their 5G but their names.
 */
export function readSpecs(folder: string, squeeze: (text: string) => string): Phone[] {
  const phones: Phone[] = [];
  const add = (name: string, sizes: readonly Size[]): void => {
    const maker = MAKERS.find((known) => name.toLowerCase().startsWith(`${known.toLowerCase()} `));
    if (
      maker === undefined ||
      sizes.length === 0 ||
      /\b(Tab|Pad|iPad|MediaPad|MatePad|Watch|4G|SE)\b|[/,&'"]|Pad|\(Nokia|X6\)/.test(name)
    )
      return;
    const rest = name.slice(maker.length + 1);
    const series = SERIES.find((word) => rest.toLowerCase().startsWith(`${word.toLowerCase()} `)) ?? '';
    const is5gForm = rest.endsWith(' 5G');
    const model = rest.slice(series === '' ? 0 : series.length + 1, is5gForm ? -3 : undefined);
    if (model === '' || /5G/.test(model)) return;
    phones.push({ maker, series, model, words: squeeze(model), is5gForm, is5gOnly: false, sizes });
  };
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.csv'))
    .sort()) {
    const rows = parse(readFileSync(join(folder, file)), { columns: true, relax_column_count: true }) as Record<
      string,
      string
    >[];
    for (const { name = '', announced = '', internal = '' } of rows) {
      if (/20(1[6-9]|2\d)/.test(announced)) add(name, sizesOf(internal));
    }
  }
  const records = join(folder, 'techapi', 'data', 'smartphone');
  const files = existsSync(records) ? (readdirSync(records, { recursive: true }) as string[]) : [];
  for (const file of files.filter((name) => /20(1[6-9]|2\d).*\.json$/.test(name)).sort()) {
    const record = JSON.parse(readFileSync(join(records, file), 'utf8')) as {
      name: string;
      brand: string;
      storage_options_gb: number[];
    };
    const brand = MAKERS.find((known) => known.toLowerCase() === record.brand) ?? record.brand;
    const name = record.name.toLowerCase().startsWith(record.brand) ? record.name : `${brand} ${record.name}`;
    add(
      name,
      record.storage_options_gb.filter((storage) => storage >= 16 && storage <= 1024).map((storage) => ({ storage })),
    );
  }
  return phones;
}

/** `128GB 4GB RAM, 256GB 8GB RAM` */
function sizesOf(text: string): Size[] {
  const sizes = new Map<string, Size>();
  for (const [, number = '', unit, ram] of text.matchAll(/\b(\d+)(GB|TB) (\d+)GB RAM/g)) {
    const storage = unit === 'TB' ? 1024 : Number(number);
    if (storage >= 16 && storage <= 1024 && storage > Number(ram))
      sizes.set(`${ram}/${storage}`, { ram: Number(ram), storage });
  }
  return [...sizes.values()];
}
