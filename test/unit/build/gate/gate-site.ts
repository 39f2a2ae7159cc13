import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildResult } from '../../../../build/report/build-result.ts';
import { describeBuild } from '../../../../build/report/describe-build.ts';
import { NOW, type Site } from '../run/write-sources.ts';

export const NIGHT = 'feeds/night/deals.csv';
export const HOUSE = 'feeds/house/deals.csv';
export const CMS = 'cms/site.json';

/** Products for deals in turn. */
export const PRODUCTS = [
  ['101', 'new'],
  ['101', 'refurbished'],
  ['102', 'new'],
] as const;

export type Change = (site: Site) => void;

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

/** A change of the feed `night`. */
export function night(change: (text: string) => string): Change {
  return (site) => void edit(site, NIGHT, change);
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

/** Keeps the header and some rows. */
export function rows(keeps: (row: string, i: number) => boolean): (text: string) => string {
  return (text) => {
    const [header = '', ...lines] = text.trimEnd().split('\n');
    return `${[header, ...lines.filter(keeps)].join('\n')}\n`;
  };
}

export const half = rows((_, i) => i < 20);

/** The gates of one state, `lost-deals:night`. */
export function gatesThat(state: 'refused' | 'held' | 'accepted', { report }: BuildResult): readonly string[] {
  return report.gates.filter((gate) => gate.state === state).map(({ gate }) => gate);
}

/** The gates that the line which begins so accepts. */
export function acceptancesIn(result: BuildResult, start: string): string[] {
  const line = describeBuild(result).find((text) => text.startsWith(start)) ?? '';
  return [...line.matchAll(/--accept (\S+)/g)].map(([, word]) => word ?? '');
}
