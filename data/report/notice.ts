import { z } from 'zod';
import { penceSchema } from '../record/amount.ts';

/**
 * The outcome of a record, or of the subject of a notice, the most severe first: `source` a whole source is affected;
 * `quarantined` the record is faulty and not served; `notice` it is served, and an editor should look; `duplicate` another
 * record stands for it; `out-of-scope` a stated rule excludes it.
 */
export const OUTCOMES = ['source', 'quarantined', 'notice', 'duplicate', 'out-of-scope'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Every code that a build may report: its outcome, what it means, what to do. Codes are permanent. */
export const NOTICES = {
  ...withOutcome('source', {
    'source-missing': {
      meaning: 'no file matches the globs of the source',
      remedy: 'put the file there, or mend `files` in the configuration',
    },
    'source-unreadable': {
      meaning: 'a file of the source cannot be opened, unpacked or decoded',
      remedy: 'fetch the file again; check its permissions and its ending',
    },
    'source-malformed': {
      meaning: 'a file is not in the format of its adapter, or ends in the middle',
      remedy: 'fetch the file again; check that the right adapter is configured',
    },
    'source-too-large': {
      meaning: 'a file inflates to more than the limit',
      remedy: 'check the file; raise the limit if it is sound',
    },
    'old-file': {
      meaning: 'a file of the feed is that of an earlier night',
      remedy: 'fetch the feed again, or accept it with `--accept old-file`',
    },
    'missing-column': {
      meaning: 'the header row lacks a column that the format needs',
      remedy: 'ask the feed for the column; check the delimiter and the first line of the file',
    },
    'unknown-column': {
      meaning: 'the header row has a column that the format does not know; it is not read',
      remedy: 'correct its name, or remove it from the file',
    },
    'carried-forward': {
      meaning: 'the feed cannot be read, or fails a gate; its deals are those of the snapshot before',
      remedy: 'fetch the feed again, or accept the gate, before its deals are withdrawn',
    },
    'not-carried': {
      meaning: 'the feed cannot be read, or fails a gate, and there are no deals of before that could be served',
      remedy: 'fetch the feed again, or accept the gate; `deals verify` says what is wrong with a snapshot',
    },
    withdrawn: {
      meaning: 'the feed cannot be read, or fails a gate, and the deals it last had are too old to be served',
      remedy: 'fetch the feed again, or accept the gate',
    },
    'source-unchanged': {
      meaning: 'the files of the feed have been the same for days',
      remedy: 'ask the feed whether it is still made, or raise `freshness.maxUnchangedDays`',
    },
    'example-file': {
      meaning: 'a file is an example of `deals init`, and what it names does not exist',
      remedy: 'remove it; put your own files there',
    },
    'unused-exclusion': {
      meaning: 'a line of `exclude` leaves out nothing',
      remedy: 'correct the line, or remove it when it has done its work',
    },
    mojibake: {
      meaning: 'texts of deals have characters that were lost when they were decoded, and cannot be repaired',
      remedy: 'tell the feed to write its file as UTF-8',
    },
    'unmapped-type': {
      meaning: 'the export has types of records that the mapping does not name; they are not read',
      remedy: 'add the type to `mapping` where its records are wanted',
    },
    'missing-type': {
      meaning: 'the export has no record of a type that the mapping names',
      remedy: 'correct the type in `mapping`, or export its records as well',
    },
    'unstable-id': {
      meaning:
        'the mapping takes the numbers of rows for ids, and Strapi 5 gives a document another whenever it is published',
      remedy: 'map `id` to a field of your own, or to {"hashed": "documentId"}',
    },
  }),
  ...withOutcome('quarantined', {
    'column-count': {
      meaning: 'the row has more or fewer cells than the header',
      remedy: 'look for a stray delimiter or quote in the row',
    },
    'malformed-record': {
      meaning: 'the record is not an object, or its line is not JSON',
      remedy: 'mend the line in the source',
    },
    'malformed-json': {
      meaning: 'a cell that should hold JSON does not',
      remedy: 'tell the feed; the rest of the row is not trusted',
    },
    'missing-field': {
      meaning: 'a field that the format needs is empty or absent',
      remedy: 'fill the field in the source',
    },
    'malformed-field': {
      meaning: 'a field does not follow its format',
      remedy: 'correct the field in the source, or the settings that say how it is written',
    },
    'duplicate-id': { meaning: 'two records claim one id', remedy: 'give each its own id' },
    'duplicate-slug': {
      meaning: 'two networks, retailers or manufacturers claim one slug',
      remedy: 'give each its own slug',
    },
    'unknown-product': {
      meaning: 'the deal is for a product that the catalogue does not have',
      remedy: 'add the product, or add the name, GTIN or feed id to the `matches` of the right one',
    },
    'ambiguous-product': {
      meaning: 'the deal fits more than one product',
      remedy: 'add the name, GTIN or feed id to the `matches` of the right one',
    },
    'unknown-network': {
      meaning: 'the network is not in the catalogue',
      remedy: 'add the name to the `aliases` of the right network, or add the network',
    },
    'unknown-retailer': {
      meaning: 'the retailer is not in the catalogue',
      remedy: 'add the name to the `aliases` of the right retailer, or add the retailer',
    },
    'unknown-gift': {
      meaning: 'the gift is an id that the catalogue does not have',
      remedy: 'add the gift, or correct the id',
    },
    'missing-allowance': {
      meaning: 'an allowance is missing and the configuration does not say what that means',
      remedy: 'fill it, or set `missingAllowance` for the feed',
    },
    'unknown-merchant': {
      meaning: 'nothing in the configuration says how to read the rows of the merchant, which have no telecom columns',
      remedy: 'add the merchant to `merchants` of the feed',
    },
    'unmatched-pattern': {
      meaning:
        'no pattern of the configuration fits the text that should say what the deal is, or one fits in two ways',
      remedy: 'add a pattern for such texts',
    },
    'contradictory-facts': {
      meaning: 'two places of the record say different things of one field',
      remedy: 'tell the feed, or correct the patterns',
    },
    'negative-money': { meaning: 'an amount is below zero', remedy: 'tell the feed' },
    'zero-monthly-cost': {
      meaning: 'the monthly cost is zero and the configuration does not allow it',
      remedy: 'tell the feed, or set `money.zeroMonthlyCost`',
    },
    'money-above-ceiling': {
      meaning: 'an amount is above the ceiling of `money`, or a cashback above the total cost',
      remedy: 'tell the feed; raise the ceiling only where such a price is real',
    },
    'implausible-total': {
      meaning: 'the stated total is less than half, or more than one and a half times, of upfront + monthly x months',
      remedy: 'tell the feed',
    },
    'allowance-above-ceiling': {
      meaning:
        'no plan has so much data, so many minutes or so many texts; perhaps a number that should mean unlimited',
      remedy: 'tell the feed, or say in its settings that the number means unlimited',
    },
    'price-jump': {
      meaning:
        'the total or the monthly cost moved by more than a factor of `gates.maxPriceJump` since the snapshot being served, or a new deal would be the cheapest of its product by far',
      remedy:
        'nothing needs to be done if the price is right: it is taken when another file says it again after 20 hours, and `--accept price-jump` takes it at once; otherwise tell the feed',
    },
    'wrong-currency': {
      meaning: 'the deal is in another currency than the catalogue',
      remedy: 'configure a feed of the right country',
    },
  }),
  ...withOutcome('out-of-scope', {
    unpublished: { meaning: 'the record is not published in the CMS', remedy: 'publish it there when it is ready' },
    excluded: {
      meaning: 'the `exclude` list of the configuration names the record',
      remedy: 'remove the line from `exclude` when it has done its work',
    },
    'not-a-phone': { meaning: 'the row sells something that is not a phone', remedy: 'nothing needs to be done' },
    'no-contract': { meaning: 'the row sells a phone without a monthly contract', remedy: 'nothing needs to be done' },
    'sim-only': { meaning: 'the row sells a SIM without a phone', remedy: 'nothing needs to be done' },
    'out-of-stock': { meaning: 'the feed says that the deal is out of stock', remedy: 'nothing needs to be done' },
    'not-valid-today': { meaning: 'the deal begins later or has ended', remedy: 'nothing needs to be done' },
  }),
  ...withOutcome('duplicate', {
    'duplicate-deal': {
      meaning: 'the deal differs from another of the product only in id, link, picture or colour',
      remedy: 'nothing needs to be done: the one with the lowest key is served',
    },
  }),
  ...withOutcome('notice', {
    'unknown-key': {
      meaning: 'the record has a key or a specification attribute that the format does not know; it is not read',
      remedy: 'correct its name, or remove it',
    },
    'name-without-refurbished': {
      meaning: 'a refurbished product does not say so at the beginning of its name',
      remedy: 'begin the name with `Refurbished`',
    },
    'same-name': {
      meaning: 'two products share name and condition, so a client cannot tell their deals apart',
      remedy: 'give each its own name',
    },
    'same-slug': {
      meaning:
        'two products, gifts or gift categories of different ids share a slug, so a page cannot tell them apart by it',
      remedy: 'give each its own slug',
    },
    'unknown-manufacturer': {
      meaning: 'no `manufacturers` entry gives the manufacturer a name; its slug is shown',
      remedy: 'add {slug, name} to `manufacturers`',
    },
    'dead-reference': {
      meaning: 'a gift category lists a gift that does not exist or is not published; it is left out',
      remedy: 'correct the list, or publish the gift',
    },
    'missing-picture': {
      meaning: 'the file of a picture does not exist; the record is served without it',
      remedy: 'put the file there, or correct the path',
    },
    'unreadable-picture': {
      meaning: 'the file of a picture cannot be decoded, or is too large; the record is served without it',
      remedy: 'save the picture again as PNG, JPEG or WebP',
    },
    'picture-stand-in': {
      meaning: 'a view has no picture of its own; the front stands in',
      remedy: 'add a picture of the view',
    },
    'unresolved-link': {
      meaning: 'a field leads to an entry or a picture that the export does not hold, or not published; it is left out',
      remedy: 'publish what the field leads to, or correct the field',
    },
    'malformed-link': {
      meaning: 'a line of the export that should link two records does not; neither knows of the other',
      remedy: 'export the site again',
    },
    'changed-since-published': {
      meaning:
        'the record has been edited since it was published, and the export holds the edited text, which is served',
      remedy: 'publish the edits, or export by the delivery API',
    },
    'total-mismatch': {
      meaning: 'upfront + monthly x months is not the stated total; the stated total is served',
      remedy: 'tell the feed',
    },
    'half-cashback': {
      meaning: 'a cashback has a type without an amount or an amount without a type; it is dropped',
      remedy: 'tell the feed',
    },
    'gift-without-record': {
      meaning: 'the gift is served as the text of the feed, without a picture',
      remedy: 'add the gift, or add the text to the `matches.names` of the right one',
    },
  }),
};

function withOutcome<Code extends string>(
  outcome: Outcome,
  notices: Readonly<Record<Code, { meaning: string; remedy: string }>>,
) {
  return Object.fromEntries(
    Object.entries<object>(notices).map(([code, row]) => [code, { outcome, ...row }]),
  ) as Readonly<Record<Code, { readonly outcome: Outcome; readonly meaning: string; readonly remedy: string }>>;
}

export type NoticeCode = keyof typeof NOTICES;

const NOTICE_CODES = Object.keys(NOTICES) as readonly NoticeCode[];

export const noticeCodeSchema = z.enum(NOTICE_CODES as [NoticeCode, ...NoticeCode[]]);

const priceSchema = z.strictObject({ total: penceSchema, upfront: penceSchema, monthly: penceSchema });

export type Price = z.infer<typeof priceSchema>;

/** A message of a build: where, what was found, what was expected, what to do. */
export const noticeSchema = z.strictObject({
  code: noticeCodeSchema,
  /** The name of the source in the configuration. */
  source: z.string(),
  /** The file, relative to the configuration, with forward slashes. */
  file: z.string().optional(),
  /** 1-based line of the file on which the record begins; in a JSON file the position of the record in its array. */
  line: z.number().int().min(1).optional(),
  /** The list of the JSON file in which `line` is a position: `networks`. */
  list: z.string().optional(),
  /** The id of the record: `101/new`, a deal key, a slug. */
  record: z.string().optional(),
  field: z.string().optional(),
  /** What was found, cut to 80 characters. */
  found: z.string().optional(),
  /** `found` is JSON, not a text: `4` for a number where a text was expected. */
  isFoundJson: z.literal(true).optional(),
  expected: z.string().optional(),
  /** A more exact remedy than that of the code. */
  remedy: z.string().optional(),
  /** Of a record that is not served: slug and name in the CMS, or the name of the phone in the feed. */
  names: z.array(z.string()).optional(),
  /** The product that the feed states for a deal that is not served: `101/new`. */
  product: z.string().optional(),
  /** The slug of the retailer of a deal. */
  retailer: z.string().optional(),
  /**
   * Of a deal that is held out (`price-jump`): its price, the last one served under its key, when it was first held out,
   * and the digest of the files of that build.
   */
  prices: z
    .strictObject({ now: priceSchema, before: priceSchema.optional(), since: z.iso.datetime(), files: z.string() })
    .optional(),
  /** The deal that is served instead, or that has the same id. */
  other: z
    .strictObject({ source: z.string(), file: z.string(), line: z.number().int().min(1), record: z.string() })
    .optional(),
});

export type Notice = z.infer<typeof noticeSchema>;

/** `found` for a sentence: a text in quotes, JSON as it is. */
export function quoteFound(found: string, { isFoundJson }: Pick<Notice, 'isFoundJson'>): string {
  return isFoundJson === true ? found : JSON.stringify(found);
}
