import { z } from 'zod';
import { CONTENT_FIELDS, META_DATA_FIELDS, SPEC_FIELDS, type Field } from '../field/field.ts';
import { GIFT_IMAGE_KEYS, IMAGE_KEYS, LOGO_BOX } from '../field/image.ts';
import { allowanceSchema, countSchema, penceSchema } from '../record/amount.ts';
import { MATCH_RULES } from '../record/deal.ts';
import { decimalIdSchema, productIdSchema, slugSchema } from '../record/id.ts';
import { CONDITIONS } from '../record/product.ts';
import { gateResultSchema, manifestSourceSchema } from '../report/report.ts';
import { PRICE_HISTORY } from './price-history.ts';

/** Version of the files below. A reader refuses every other (data/spec/snapshot.md). */
export const FORMAT_VERSION = 1;

/** A line of `deals.ndjson` holds at most this many deals, so that reading one never takes long. */
export const MAX_DEALS_PER_LINE = 4_096;

/** `<yyyymmddThhmmZ>-<8 hex of the content hash>`. */
export const SNAPSHOT_ID = /^[0-9]{8}T[0-9]{4}Z-[0-9a-f]{8}$/;

/** The files that a server loads, in this order. */
export const SERVED_FILES = [
  'dictionaries.json',
  'products.ndjson',
  'gifts.ndjson',
  'gift-categories.ndjson',
  'pictures.ndjson',
  'deals.ndjson',
] as const;
export const RECORD_FILES = [
  'product-origins.ndjson',
  'provenance.ndjson',
  'quarantine.ndjson',
  'notices.ndjson',
  'report.json',
  'changes.json',
] as const;
export const SNAPSHOT_FILES = [...SERVED_FILES, ...RECORD_FILES] as const;

export type ServedFile = (typeof SERVED_FILES)[number];
export type SnapshotFile = (typeof SNAPSHOT_FILES)[number];

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
/** The highest amount of a column: ten million pounds, which fits 32 bits. */
export const MAX_PENCE = 1_000_000_000;
const columnPenceSchema = penceSchema.max(MAX_PENCE);
/** A URL, or the path of a rendered picture (`/images/…`), or empty. */
const pictureUrlSchema = z.string().regex(/^(?:$|\/images\/|[hH][tT][tT][pP][sS]?:\/\/)/);
/** The same, never empty. */
const imageUrlSchema = z.string().regex(/^(?:\/images\/|[hH][tT][tT][pP][sS]?:\/\/)/);

function objectOf<Key extends string, Schema extends z.ZodType>(
  keys: readonly Key[],
  schema: Schema,
): z.ZodObject<Record<Key, Schema>, z.core.$strict> {
  return z.strictObject(Object.fromEntries(keys.map((key) => [key, schema])) as Record<Key, Schema>);
}
const textsObject = <Key extends string>(fields: readonly (Field & { readonly key: Key })[]) =>
  objectOf(
    fields.map(({ key }) => key),
    z.string().min(1).optional(),
  );
const contentObject = textsObject(CONTENT_FIELDS);
const metaDataObject = textsObject(META_DATA_FIELDS);
const imagesObject = <Key extends string>(keys: readonly Key[]) => objectOf(keys, imageUrlSchema.optional());
const logosObject = <Size extends string>(boxes: Readonly<Record<Size, object>>) =>
  objectOf(Object.keys(boxes) as Size[], pictureUrlSchema);

/** A record that others name. */
const namedEntry = { id: decimalIdSchema, name: z.string().min(1), slug: slugSchema };

/** A line of `products.ndjson`: a variant with every expansion, in order of numeric id, new before refurbished. */
export const productLineSchema = z.strictObject({
  id: productIdSchema,
  condition: z.enum(CONDITIONS),
  name: z.string().min(1),
  slug: slugSchema,
  model: slugSchema.optional(),
  manufacturer: slugSchema.optional(),
  content: contentObject,
  pageContent: contentObject,
  metaData: metaDataObject,
  specs: textsObject(SPEC_FIELDS),
  images: imagesObject(IMAGE_KEYS),
  /** What its cheapest deal cost on each day (D24), in the spelling of `PRICE_HISTORY`. Absent in older snapshots. */
  priceHistory: z.string().regex(PRICE_HISTORY).optional(),
});

/** A line of `gifts.ndjson`, in order of numeric id. */
export const giftLineSchema = z.strictObject({
  ...namedEntry,
  content: contentObject,
  metaData: metaDataObject,
  images: imagesObject(GIFT_IMAGE_KEYS),
});

/** A line of `gift-categories.ndjson`, in order of numeric id; `gifts` in the order of the editor (D9). */
export const giftCategoryLineSchema = z.strictObject({
  ...giftLineSchema.shape,
  pageContent: contentObject,
  gifts: z.array(z.strictObject(namedEntry)),
});

/** A line of `pictures.ndjson`: a rendered picture in `<store>/images`, in order of path. */
export const pictureLineSchema = z.strictObject({
  /** `/images/<hash>/<name>.<format>`, also its path in URLs. */
  path: z.string().regex(/^\/images\/[0-9a-f]{16,64}\/[a-z0-9-]+\.(?:webp|png|jpg)$/),
  bytes: countSchema,
  sha256: sha256Schema,
});

/** What a contract offers, without its price. */
const planEntry = z.strictObject({
  /** Number of the network in `networks`. */
  network: countSchema,
  dealType: z.string().min(1),
  contractName: z.string().min(1),
  contractMonths: z.number().int().min(1).max(120),
  dataMegabytes: allowanceSchema,
  callMinutes: allowanceSchema,
  textMessages: allowanceSchema,
});

/**
 * `dictionaries.json`: what many deals share. Deals name entries by their position. Number 0 of `gifts`, `cashbacks`
 * and `pictures` in a deal means none, so entry n is at position n - 1 there.
 */
export const dictionariesSchema = z.strictObject({
  currency: z.strictObject({ code: z.string().regex(/^[A-Z]{3}$/), label: z.string().min(1) }),
  networks: z.array(z.strictObject({ ...namedEntry, logos: logosObject(LOGO_BOX.network) })),
  retailers: z.array(z.strictObject({ ...namedEntry, logos: logosObject(LOGO_BOX.retailer) })),
  manufacturers: z.array(z.strictObject({ slug: slugSchema, name: z.string().min(1) })),
  plans: z.array(planEntry),
  /** `id` of a gift of the catalogue; the others are texts of feeds. Absent in older snapshots. */
  gifts: z.array(z.strictObject({ id: decimalIdSchema.optional(), name: z.string().min(1), image: pictureUrlSchema })),
  cashbacks: z.array(z.strictObject({ type: z.string().min(1), valuePence: columnPenceSchema })),
  /** A link is `prefix`, the deal's own part, `suffix`. */
  linkTemplates: z.array(z.strictObject({ prefix: z.string(), suffix: z.string() })),
  /** Pictures of the feeds, for deals of products that have none of their own. */
  pictures: z.array(z.string().min(1)),
});

/**
 * A line of `deals.ndjson`: up to 4,096 deals of one product as parallel arrays, products in order of their row. Within
 * a product, deals are in order of `rank`: the position of the deal in the order of total cost over the whole catalogue
 * with all the ties of D14 (total, upfront, monthly, retailer id, deal key, name of the feed). So a range is sorted, and
 * deals of different products compare by one number. `gift`, `cashback` and `picture` are left out when all are 0.
 */
export const dealsLineSchema = z.strictObject({
  /** Row of the product: its 0-based line in `products.ndjson`. */
  product: countSchema,
  rank: z.array(countSchema).min(1).max(MAX_DEALS_PER_LINE),
  plan: z.array(countSchema),
  retailer: z.array(countSchema),
  totalPence: z.array(columnPenceSchema),
  upfrontPence: z.array(columnPenceSchema),
  monthlyPence: z.array(columnPenceSchema),
  gift: z.array(countSchema).optional(),
  cashback: z.array(countSchema).optional(),
  picture: z.array(countSchema).optional(),
  linkTemplate: z.array(countSchema),
  linkPart: z.array(z.string()),
});

/** Where the product of the line of `products.ndjson` with the same number came from. */
export const productOriginLineSchema = z.strictObject({
  id: productIdSchema,
  condition: z.enum(CONDITIONS),
  source: z.string(),
  file: z.string(),
  line: z.number().int().min(1),
  /** The list of a JSON file in which `line` is a position. */
  list: z.string().optional(),
});

/** Where each deal of the line of `deals.ndjson` with the same number came from. */
export const provenanceLineSchema = z.strictObject({
  product: countSchema,
  source: z.array(z.string()),
  file: z.array(z.string()),
  line: z.array(z.number().int().min(1)),
  key: z.array(z.string()),
  /** The rules that matched the deals of the line, with the text of the feed, each once. */
  matches: z.array(z.strictObject({ rule: z.enum(MATCH_RULES), found: z.string() })),
  /** The position in `matches` of each deal. */
  match: z.array(countSchema),
});

/** `manifest.json`: written last of a snapshot's files. The only file with a clock in it. */
export const manifestSchema = z.strictObject({
  formatVersion: z.literal(FORMAT_VERSION),
  id: z.string().regex(SNAPSHOT_ID),
  /** The order of snapshots: one more than the highest in the store at the time of publishing. */
  sequence: z.number().int().min(1),
  createdAt: z.iso.datetime(),
  previous: z.string().regex(SNAPSHOT_ID).optional(),
  /** The address of another host for pictures; the server puts it before their paths. */
  imagesBaseUrl: z.string().optional(),
  /**
   * SHA-256 over the names and hashes of the served files, and `imagesBaseUrl`: the same content has the same hash on
   * any day (D18).
   */
  contentHash: sha256Schema,
  counts: z.strictObject({
    products: countSchema,
    deals: countSchema,
    gifts: countSchema,
    giftCategories: countSchema,
    networks: countSchema,
    retailers: countSchema,
    manufacturers: countSchema,
    pictures: countSchema,
    quarantined: countSchema,
  }),
  files: z.strictObject(
    Object.fromEntries(
      SNAPSHOT_FILES.map((name) => [name, z.strictObject({ bytes: countSchema, sha256: sha256Schema })]),
    ) as Record<SnapshotFile, z.ZodObject<{ bytes: typeof countSchema; sha256: typeof sha256Schema }>>,
  ),
  sources: z.array(manifestSourceSchema),
  gates: z.array(gateResultSchema),
  /** SHA-256 over all of the above (`hashManifest`). Absent in older manifests. */
  manifestHash: sha256Schema.optional(),
});

const checkSchema = z.string().regex(/^[0-9a-f]{8}$/);

/** `current.json` of a store: the commit point. */
export const currentSchema = z.strictObject({
  snapshot: z.string().regex(SNAPSHOT_ID),
  /** The first eight digits of the SHA-256 of `{"snapshot":"<id>"}`. Absent in older stores. */
  check: checkSchema.optional(),
});

/** `previous.json` of a store: which snapshot was current before, and which replaced it. */
export const previousSchema = z.strictObject({
  snapshot: z.string().regex(SNAPSHOT_ID),
  replacedBy: z.string().regex(SNAPSHOT_ID),
  check: checkSchema,
});

export type ProductLine = z.infer<typeof productLineSchema>;
export type GiftLine = z.infer<typeof giftLineSchema>;
export type GiftCategoryLine = z.infer<typeof giftCategoryLineSchema>;
export type PictureLine = z.infer<typeof pictureLineSchema>;
export type Dictionaries = z.infer<typeof dictionariesSchema>;
export type Plan = Dictionaries['plans'][number];
export type Network = Dictionaries['networks'][number];
export type Retailer = Dictionaries['retailers'][number];
export type Manufacturer = Dictionaries['manufacturers'][number];
export type DealsLine = z.infer<typeof dealsLineSchema>;
export type ProvenanceLine = z.infer<typeof provenanceLineSchema>;
export type Manifest = z.infer<typeof manifestSchema>;
