import type { Sourced } from '../adapt/adapter.ts';
import type { NetworkRecord, RetailerRecord } from '../../data/record/supplier.ts';
import { cutText, quoteText, type Finding } from './finding.ts';

const LISTED_COUNT = 10;

/** Finds the network or the retailer that a feed means; rows are those of the catalogue. */
export interface SupplierIndex {
  /** The row that the first of the references names which names one: a slug, an id, or a name or alias but for case and space. */
  findRow(references: readonly string[]): number | undefined;
  /** What to report when there is none. */
  describeUnknown(references: readonly string[]): Finding;
}

export function createSupplierIndex(
  kind: 'network' | 'retailer',
  suppliers: readonly Sourced<NetworkRecord | RetailerRecord>[],
): SupplierIndex {
  const bySlug = new Map(suppliers.map(({ record }, row) => [record.slug, row]));
  const byId = new Map(suppliers.map(({ record }, row) => [record.id, row]));
  const byName = new Map<string, Set<number>>();
  suppliers.forEach(({ record }, row) => {
    for (const name of [record.name, ...record.aliases]) {
      const rows = byName.get(foldText(name));
      if (rows === undefined) byName.set(foldText(name), new Set([row]));
      else rows.add(row);
    }
  });

  const rowsOf = (reference: string): readonly number[] => {
    const row = bySlug.get(reference) ?? byId.get(reference);
    return row === undefined ? [...(byName.get(foldText(reference)) ?? [])] : [row];
  };

  return {
    findRow(references) {
      for (const reference of references) {
        const rows = rowsOf(reference);
        // A name that two suppliers claim names neither, and a less exact reference must not decide between them.
        if (rows.length > 0) return rows.length === 1 ? rows[0] : undefined;
      }
      return undefined;
    },

    describeUnknown(references) {
      const claimed = references.find((reference) => rowsOf(reference).length > 1);
      const finding = { code: `unknown-${kind}`, field: kind, found: cutText(references.join(', ')) } as const;
      if (claimed !== undefined) {
        const expected = `one ${kind}; ${listNames(rowsOf(claimed))} claim ${quoteText(claimed)}`;
        return { ...finding, expected, remedy: `leave the name to one ${kind}` };
      }
      const name = references.find((reference) => !/^[0-9]+$/.test(reference)) ?? references[0] ?? '';
      if (suppliers.length === 0) {
        return { ...finding, expected: `a ${kind} of the CMS, which has none`, remedy: `add the ${kind} to the CMS` };
      }
      const listed = listNames(suppliers.slice(0, LISTED_COUNT).map((_, row) => row));
      return {
        ...finding,
        expected: `one of ${listed}${suppliers.length > LISTED_COUNT ? ', …' : ''}`,
        remedy: `add "aliases": [${JSON.stringify(name)}] to the right ${kind}, or add the ${kind}`,
      };
    },
  };

  function listNames(rows: readonly number[]): string {
    return rows.map((row) => quoteText(suppliers[row]?.record.name ?? '')).join(', ');
  }
}

/** Text without the differences that names are compared without: case, and the amount of space. */
export function foldText(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
