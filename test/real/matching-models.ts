import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { groupBy } from '../../build/source/record.ts';
import { readTable } from '../support/table.ts';
import { readPhoneTable, type TableProduct } from './phone-table.ts';

type Row = Readonly<Record<string, string>>;

/** A model of the table of phones, with what the names of feeds are written from. */
export interface Model {
  /** `Samsung Galaxy S21+ 5G`. */
  readonly name: string;
  /** `Samsung`. */
  readonly maker: string;
  /** `Galaxy S21+ 5G`. */
  readonly core: string;
  /** Of its products: none for a model that states no storage in gigabytes. */
  readonly storages: readonly string[];
  readonly products: readonly TableProduct[];
  readonly colours: readonly string[];
  /** What the phone can do and its name does not say: `5G`, or else `4G`; `Dual SIM`; `eSIM`. */
  readonly unsaid: readonly string[];
  readonly isPhone: boolean;
}

const NOT_A_PHONE = /pad|\btab\b|tablet|watch|\bgear\b|xoom|playbook|nexus (?:7|9|10)\b|pixel c$/i;
const CONNECTIVITY = /\b(?:[345]g|lte|dual(?: sim)?|esim)\b/i;
const COLOUR = /^[a-z][a-z'&/-]*(?: [a-z'&/-]+){0,2}$/i;
const NO_COLOUR = /cover|colou?r|other|various|edition|version|lux|only|available/i;

/** All models of the table, those without a product too: a person knows them. */
export function readModels(file: string): readonly Model[] {
  const products = groupBy(readPhoneTable(file), ({ name, condition }) => [modelName(name, condition)]);
  const rows = parse(readFileSync(file), { columns: true, bom: true }) as Row[];
  return rows.map((row) => {
    const name = tidy(row.name ?? '');
    const ofModel = products.get(name) ?? [];
    return {
      name,
      maker: name.split(' ')[0] ?? '',
      core: name.split(' ').slice(1).join(' '),
      storages: [...new Set(ofModel.map((product) => storageOf(product)))],
      products: ofModel,
      colours: coloursOf(row.colors ?? ''),
      unsaid: CONNECTIVITY.test(name) ? [] : unsaidOf(row),
      isPhone: !NOT_A_PHONE.test(name),
    };
  });
}

/** The last word of the name of a product of the table. */
export function storageOf(product: TableProduct): string {
  return product.name.split(' ').at(-1) ?? '';
}

function modelName(productName: string, condition: string): string {
  const words = productName.split(' ');
  return words.slice(condition === 'refurbished' ? 1 : 0, -1).join(' ');
}

function coloursOf(cell: string): readonly string[] {
  return cell
    .split(',')
    .map((colour) => tidy(colour).replace(/\.$/, ''))
    .filter((colour) => colour.length > 2 && COLOUR.test(colour) && !NO_COLOUR.test(colour));
}

function unsaidOf(row: Row): readonly string[] {
  const technology = row.technology ?? '';
  const sim = row.sim ?? '';
  return [
    ...(technology.includes('5G') ? ['5G'] : technology.includes('LTE') ? ['4G'] : []),
    ...(sim.includes('Dual SIM') ? ['Dual SIM'] : []),
    ...(sim.includes('eSIM') ? ['eSIM'] : []),
  ];
}

function tidy(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/**
 * Every name of the real list, labelled by hand: the phone of the table that it means, or nothing. The list is of 2023, the
 * table of 2021: most phones are later, or of makers that the table does not have; tablets and routers are not sold. The
 * names state no storage, so each means a product only where its storage is added, or where products have none. `iPhone
 * SE` is the first of them: the others of the list say their year.
 */
export const REAL_NAMES: ReadonlyMap<string, string | undefined> = new Map(
  readTable<[name: string, meant?: string]>(import.meta.url, 'real-names.ndjson').map(([name, meant]) => [name, meant]),
);
