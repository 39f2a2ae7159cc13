import { findNearest } from '../../data/report/find-nearest.ts';
import { SEARCHED_FILES, SnapshotSearch } from '../../data/report/snapshot-search.ts';
import { isPartOf, parseSubject } from '../../data/report/subject.ts';
import type { OpenSnapshot } from '../snapshot/open-snapshot.ts';
import { Turn } from '../snapshot/turn.ts';
import { describeDeal, describeNotice, describeProduct } from './describe-found.ts';
import { listFile } from './listed-file.ts';
import type { RecordSearch } from './record-search.ts';
import { scanLines } from './scan-lines.ts';
import type { ReportStatus } from './snapshot-report.ts';

/**
 * Looks a word up as `deals explain` does (`SnapshotSearch`). What is served is in memory; the rest is read from the
 * files, a chunk at a time.
 * @throws {SnapshotError} `unknown-snapshot` when the snapshot is no longer in the store, else what is wrong with a file
 */
export async function searchRecords(
  store: string,
  snapshot: OpenSnapshot,
  report: ReportStatus,
  text: string,
  now: Date,
  signal: AbortSignal,
): Promise<RecordSearch> {
  const { index, manifest } = snapshot;
  const subject = parseSubject(text, index);
  const search = new SnapshotSearch({ index, sources: manifest.sources }, subject);
  for (const name of SEARCHED_FILES) {
    await scanLines(listFile(store, manifest, name), { signal }, (line) => {
      search.take(name, line);
      return true;
    });
  }
  const { products, deals, leftOut, names } = search.finish();
  const gone = (report.changes?.productsGone.items ?? []).filter(
    ({ product, name }) => product === text || product.startsWith(`${text}/`) || isPartOf(subject, name),
  );
  const renamed = (report.changes?.productsChanged.items ?? []).filter(
    ({ renamed: { name, slug } = {} }) =>
      (name !== undefined && isPartOf(subject, name.from)) || (slug !== undefined && isPartOf(subject, slug.from)),
  );
  const isNothing = [products.count, deals.count, leftOut.count, names.count, renamed.length, gone.length].every(
    (n) => n === 0,
  );
  const { products: all, productNameKeys } = index;
  const known = { products: all, productNameKeys, unmatchedNames: report.unmatchedNames.map(({ name }) => name) };
  return {
    asked: text,
    snapshot: manifest.id,
    now: now.toISOString(),
    currencyLabel: index.currency.label,
    products: { count: products.count, items: products.items.map((hit) => describeProduct(snapshot, report, hit)) },
    deals: { count: deals.count, items: deals.items.map((hit) => describeDeal(snapshot, hit)) },
    leftOut: { count: leftOut.count, items: leftOut.items.map(describeNotice) },
    names,
    renamed: renamed.map(({ product, name, renamed: names }) => ({
      product,
      name,
      ...(names === undefined ? {} : { renamed: names }),
    })),
    gone,
    nearest: isNothing ? await new Turn().take(findNearest(subject, known)) : [],
  };
}
