import { recordKey } from '../../data/record/product.ts';
import { NOTICES } from '../../data/report/notice.ts';
import type { Published } from '../../data/schema/published-schema.ts';
import { changeKindsSchema, type ChangeKind } from '../../data/snapshot/changes.ts';
import type { PictureLine, ProvenanceLine, SnapshotFile } from '../../data/snapshot/format.ts';

/** What a line contradicts. */
export interface Contradiction {
  readonly expected: string;
  readonly got: string | number;
}

const PROVENANCE_ARRAYS = [
  'source',
  'file',
  'line',
  'key',
  'match',
] as const satisfies readonly (keyof ProvenanceLine)[];

/**
 * The rules of the files that a server does not load: each line belongs to one of a served file, and the changes lead to
 * what is served. Takes the valid lines of a snapshot in the order of `SNAPSHOT_FILES`.
 */
export class RecordRules {
  /** `101/new`, by row. */
  readonly #products: string[] = [];
  readonly #dealsLines: { readonly product: number; readonly rowCount: number }[] = [];
  #dealCount = 0;
  #provenanceCount = 0;
  #originCount = 0;
  #quarantinedCount = 0;
  readonly pictures: PictureLine[] = [];

  get quarantinedCount(): number {
    return this.#quarantinedCount;
  }

  readonly #rules: { readonly [File in SnapshotFile]?: (value: Published<File>) => Iterable<Contradiction> } = {
    'products.ndjson': (product) => {
      this.#products.push(recordKey(product));
      return [];
    },
    'pictures.ndjson': (picture) => {
      this.pictures.push(picture);
      return [];
    },
    'deals.ndjson': ({ product, rank }) => {
      this.#dealsLines.push({ product, rowCount: rank.length });
      this.#dealCount += rank.length;
      return [];
    },
    'product-origins.ndjson': (origin) => {
      const expected = this.#products[this.#originCount++];
      return unequal(`${expected}, as in products.ndjson`, expected ?? recordKey(origin), recordKey(origin));
    },
    'provenance.ndjson': (provenance) => this.#checkProvenance(provenance),
    'quarantine.ndjson': ({ code }) => {
      if (NOTICES[code].outcome === 'quarantined') this.#quarantinedCount++;
      return [];
    },
    'notices.ndjson': ({ code }) =>
      NOTICES[code].outcome === 'notice' || NOTICES[code].outcome === 'source'
        ? []
        : [{ expected: 'a code about what is served; the others are in quarantine.ndjson', got: code }],
    'changes.json': (changes) => this.#checkChanges(changes),
  };

  take<File extends SnapshotFile>(file: File, value: Published<File>): Iterable<Contradiction> {
    return this.#rules[file]?.(value) ?? [];
  }

  /** After the last line of a file. */
  finish(file: SnapshotFile): readonly Contradiction[] {
    if (file === 'provenance.ndjson') {
      const count = this.#dealsLines.length;
      return unequal(`${count} lines, one for each of deals.ndjson`, count, this.#provenanceCount);
    }
    if (file !== 'product-origins.ndjson') return [];
    const count = this.#products.length;
    return unequal(`${count} lines, one for each of products.ndjson`, count, this.#originCount);
  }

  *#checkProvenance(provenance: ProvenanceLine): Generator<Contradiction> {
    const deals = this.#dealsLines[this.#provenanceCount++];
    if (deals === undefined) return;
    const { product, rowCount } = deals;
    yield* unequal(`product ${product}, as in deals.ndjson`, product, provenance.product);
    for (const name of PROVENANCE_ARRAYS) {
      yield* unequal(`${rowCount} values in ${name}`, rowCount, provenance[name].length);
    }
    const limit = provenance.matches.length;
    const position = provenance.match.findIndex((number) => number >= limit);
    const number = provenance.match[position];
    if (number !== undefined) yield { expected: `match[${position}] below ${limit}`, got: number };
  }

  /** The counted changes lead from the totals before to those of the snapshot, and each list says what it omits. */
  *#checkChanges(changes: Published<'changes.json'>): Generator<Contradiction> {
    for (const kind of Object.keys(changeKindsSchema.shape) as ChangeKind[]) {
      const { count, omitted, items } = changes[kind];
      const listed = omitted + items.length;
      yield* unequal(`${kind}.count ${listed}, listed and omitted`, listed, count);
    }
    const { before, after, productsNew, productsGone, dealsNew, dealsGone } = changes;
    for (const [what, expected, got] of [
      ['products', this.#products.length, after.products],
      ['deals', this.#dealCount, after.deals],
      ['products', before.products + productsNew.count - productsGone.count, after.products],
      ['deals', before.deals + dealsNew.count - dealsGone.count, after.deals],
    ] as const) {
      yield* unequal(`after.${what} ${expected}`, expected, got);
    }
    if ((changes.from === undefined) === (changes.reason === undefined)) {
      yield { expected: 'either the snapshot before or the reason why there is none', got: 'both or neither' };
    }
  }
}

function unequal<Value extends string | number>(expected: string, wanted: Value, got: Value): readonly Contradiction[] {
  return wanted === got ? [] : [{ expected, got }];
}
