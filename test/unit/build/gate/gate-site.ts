import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDealsOfFeed } from '../../../../build/gate/served-deals.ts';
import type { BuildResult } from '../../../../build/report/build-result.ts';
import { describeBuild } from '../../../../build/report/describe-build.ts';
import type { DealRecord } from '../../../../data/record/deal.ts';
import type { SourceReport } from '../../../../data/report/report.ts';
import { openSnapshotLines } from '../../../../data/store/lines.ts';
import { readManifest } from '../../../../data/store/snapshots.ts';
import { createSite, deal, HEADER, NOW, type Site, type Sources } from '../run/write-sources.ts';

export const NIGHT = 'feeds/night/deals.csv';
export const HOUSE = 'feeds/house/deals.csv';
export const CMS = 'cms/site.json';

/** Products for deals in turn. */
const PRODUCTS = [
  ['101', 'new'],
  ['101', 'refurbished'],
  ['102', 'new'],
] as const;

/**
 * Two feeds, with the settings that a configuration has by default. `house` has 200 deals; `night` has 100: of night-owl 45
 * by Aurora and 25 by Borealis, of phone-barn 30 by Aurora. Each has a name of its plan, a price and a link of its own.
 */
export function createGateSite(change: (sources: Sources) => void = () => {}): Promise<Site> {
  return createSite((sources) => {
    sources.config['gates'] = {};
    const rowOf = (key: string, i: number, retailer: string, network: string, pence = '50'): string => {
      const [product, condition] = PRODUCTS[i % PRODUCTS.length] ?? PRODUCTS[0];
      return deal(key, product, condition, retailer, `${15 + i}.${pence}`, i % 3 === 0 ? '7' : '')
        .replace(',aurora,Plan 4,24,4,', `,${network},Plan ${i},24,${1 + (i % 5)},`)
        .replace(',0.00,', `,${i % 2 === 0 ? '0.00' : '49.00'},`);
    };
    sources.house.length = 1;
    for (let i = 0; i < 200; i++) sources.house.push(rowOf(`H-${i}`, i, 'phone-barn', 'aurora', '25'));
    sources.night.length = 1;
    for (let i = 0; i < 100; i++) {
      const retailer = i < 70 ? 'night-owl' : 'phone-barn';
      sources.night.push(rowOf(`N-${i}`, i, retailer, i >= 45 && i < 70 ? 'borealis' : 'aurora'));
    }
    change(sources);
  });
}

/** Two nights, of which the second has another file of `night`. */
export async function twoNights(change: (text: string) => string, prepare?: (sources: Sources) => void) {
  const site = await createGateSite(prepare);
  const first = await site.build();
  edit(site, NIGHT, change);
  return { site, first, second: await site.build({ now: later(24) }) };
}

export type Change = (site: Site) => void;
export type ChangeRow = (cells: Record<string, string>, i: number) => Record<string, string>;

export function later(hours: number): Date {
  return new Date(NOW.getTime() + hours * 3_600_000);
}

/** Changes the text of a file, and returns the earlier one. */
export function edit(site: Site, file: string, change: (text: string) => string): string {
  const path = join(site.folder, file);
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, change(before));
  return before;
}

/** A change of the lists in a JSON file. */
export function json(file: string, change: (value: Record<string, Record<string, unknown>[]>) => void): Change {
  return (site) =>
    void edit(site, file, (text) => {
      const value = JSON.parse(text) as Record<string, Record<string, unknown>[]>;
      change(value);
      return JSON.stringify(value);
    });
}

/** Changes the rows of a feed, and leaves the header. */
export function lines(change: (rows: readonly string[]) => readonly string[]): (text: string) => string {
  return (text) => {
    const [header = '', ...rows] = text.trimEnd().split('\n');
    return `${[header, ...change(rows)].join('\n')}\n`;
  };
}

/** Keeps some rows. */
export function rows(keeps: (row: string, i: number) => boolean): (text: string) => string {
  return lines((all) => all.filter(keeps));
}

/** Changes the cells of every row. */
export function eachRow(change: ChangeRow): (text: string) => string {
  const names = HEADER.split(',');
  return lines((all) =>
    all.map((row, i) => {
      const cells = row.split(',');
      const changed = change(Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])), i);
      return names.map((name) => changed[name]).join(',');
    }),
  );
}

export function times(amount: string | undefined, factor: number): string {
  return (Number(amount) * factor).toFixed(2);
}

/** The deals of a feed that are served, by key. */
export function servedDeals(
  site: Site,
  { snapshot = '' }: BuildResult,
  feed = 'night',
): ReadonlyMap<string, DealRecord> {
  const lines = openSnapshotLines(site.store, readManifest(site.store, snapshot));
  return new Map(
    Array.from(
      readDealsOfFeed(lines, feed, () => true),
      ({ item }) => [item.deal.key, item.deal],
    ),
  );
}

export function sourceOf({ report }: BuildResult, name = 'night'): SourceReport | undefined {
  return report.sources.find((source) => source.name === name);
}

/** `network borealis at night-owl held: lost`: the parts of a feed that are not served from its file. */
export function heldParts(result: BuildResult, name = 'night'): readonly string[] {
  return (sourceOf(result, name)?.held ?? []).map(
    ({ retailer, network, state, gates }) =>
      `${[network, retailer].filter(Boolean).join(' at ') || 'all'} ${state}: ${gates.join(' ')}`,
  );
}

/** The gates of one state, `lost:night`. */
export function gatesThat(
  state: 'refused' | 'held' | 'accepted' | 'taken',
  { report }: BuildResult,
): readonly string[] {
  return report.gates.filter((gate) => gate.state === state).map(({ gate }) => gate);
}

/** The exit status of `deals build`. */
export function statusOf({ outcome, attention }: BuildResult): number {
  if (outcome === 'refused') return 3;
  return attention.length > 0 ? 4 : 0;
}

/** The gates that the line which begins so accepts. */
export function acceptancesIn(result: BuildResult, start: string): string[] {
  const line = describeBuild(result).find((text) => text.startsWith(start)) ?? '';
  return [...line.matchAll(/--accept (\S+)/g)].map(([, word]) => word ?? '');
}
