import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { SpecKey } from '../../data/field/spec.ts';

type Row = Readonly<Record<string, string>>;

/** A product of a CMS export, as far as the table of phones can fill one. */
export interface TableProduct {
  readonly id: string;
  readonly condition: 'new' | 'refurbished';
  readonly name: string;
  readonly slug: string;
  readonly model: string;
  readonly manufacturer: string;
  readonly specs: Readonly<Partial<Record<SpecKey, string>>>;
}

/** The phones of a table of specifications that name a storage size: model x storage, each new and refurbished. */
export function readPhoneTable(file: string): readonly TableProduct[] {
  const rows = parse(readFileSync(file), { columns: true, bom: true }) as Row[];
  const usedSlugs = new Set<string>();
  const products: TableProduct[] = [];
  let nextId = 1;
  for (const row of rows) {
    const name = tidy(row.name ?? '');
    const model = claimSlug(name, usedSlugs);
    for (const storage of storagesOf(row.internal ?? '')) {
      const id = String(nextId++);
      const slug = claimSlug(`${name} ${storage}`, usedSlugs);
      const shared = { id, model, manufacturer: slugOf(name.split(' ')[0] ?? ''), specs: specsOf(row) };
      products.push({ ...shared, condition: 'new', name: `${name} ${storage}`, slug });
      products.push({
        ...shared,
        condition: 'refurbished',
        name: `Refurbished ${name} ${storage}`,
        slug: claimSlug(`refurbished ${name} ${storage}`, usedSlugs),
      });
    }
  }
  return products;
}

/** `64GB 4GB RAM, 128GB 6GB RAM` are 64GB and 128GB: a size that is not followed by the word RAM. */
function storagesOf(text: string): readonly string[] {
  const found = [...text.matchAll(/(\d+(?:\.\d+)?)\s?(GB|TB)\b(?!\s*RAM)/g)].map(([, size, unit]) => `${size}${unit}`);
  return [...new Set(found)];
}

function specsOf(row: Row): Readonly<Partial<Record<SpecKey, string>>> {
  const cell = (name: string): string => tidy(row[name] ?? '').replaceAll('~.~', ' ');
  const os = cell('os');
  const [, height, width, depth] = /^([\d.]+) x ([\d.]+) x ([\d.]+) mm/.exec(cell('dimensions')) ?? [];
  const specs: Partial<Record<SpecKey, string | undefined>> = {
    os,
    familyOs: os.split(/[ ,]/)[0],
    weight: /^[\d.]+ g/.exec(cell('weight'))?.[0],
    size: width === undefined ? undefined : `${width} x ${height} x ${depth} mm`,
    height: height === undefined ? undefined : `${height} mm`,
    width: width === undefined ? undefined : `${width} mm`,
    depth: depth === undefined ? undefined : `${depth} mm`,
    screenSize: /^[\d.]+ inches/.exec(cell('size'))?.[0],
    screenPixelDensity: /\d+ ppi/.exec(cell('resolution'))?.[0],
    screenResolution: /^\d+ x \d+ pixels/.exec(cell('resolution'))?.[0],
    simType: cell('sim'),
    displayType: cell('display-type'),
    cameraFront: /[\d.]+ MP/.exec(cell('main-camera'))?.[0],
    cameraBack: /[\d.]+ MP/.exec(cell('selfie-camera'))?.[0],
    cameraFlash: /[A-Za-z-]* ?flash/.exec(cell('main-camera-features'))?.[0],
    batteryType: /Li-(?:Ion|Po)/.exec(cell('battery-type'))?.[0],
    batteryCapacity: /\d+ mAh/.exec(cell('battery-type'))?.[0],
    chipset: cell('chipset'),
    gpu: cell('gpu'),
    cpu: cell('cpu'),
    nfc: cell('nfc').startsWith('Yes') ? 'Yes' : 'No',
    fmRadio: /radio/i.test(cell('radio')) ? 'Yes' : 'No',
    '4g': cell('technology').includes('LTE') ? 'Yes' : 'No',
  };
  return Object.fromEntries(Object.entries(specs).filter(([, value]) => value !== undefined && value !== ''));
}

function tidy(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('+', ' plus ')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function claimSlug(text: string, used: Set<string>): string {
  const slug = slugOf(text);
  let free = slug;
  for (let i = 2; used.has(free); i++) free = `${slug}-${i}`;
  used.add(free);
  return free;
}
