import { z } from 'zod';
import type { NoticeDetails } from '../ledger/ledger.ts';
import { barePatternsSchema, matchPattern } from './text-pattern.ts';

/** Product types that are out of scope, by notice code. If `leaveOut` has several, the first in this list wins. */
const PRODUCT_TYPES = ['sim-only', 'not-a-phone', 'no-contract'] as const;

export type ProductType = (typeof PRODUCT_TYPES)[number];

const SIM_ONLY_CATEGORY = /sim[ -]?only|^sim card/;

const OTHER_CATEGORIES =
  /broadband|tablet|ipad|watch|wearable|laptop|macbook|notebook|chromebook|modem|dongle|router|wi-?fi|mi-?fi|console|televi|\btv\b|\bcase|headphone|earphone|earbud|speaker|accessor|charger|camera|drone|tracker/;

/** `Mobile Phones & Tablets` may be either, `Phone Cases` may not. */
const PHONE_CATEGORY = /\b(?:smart)?phones?\b(?! (?:case|cover|accessor|charger))/;

/** Names say less than categories: a phone may come with a watch, and have an eSIM. */
const SIM_NAME = /\bsim[ -]?only\b|\b(?:travel|data) e?sim\b|\be?sim (?:plan|deal)s?\b/;
const BROADBAND_NAME = /\bbroadband\b/;

/** Of categories and of names. */
const NO_CONTRACT = /\b(?:sim|contract)[ -]?free\b|\bpayg\b|\bpay[ -]as[ -]you[ -]go\b|\bpre-?(?:pay|paid)\b/;

/** The out-of-scope product type of a category of a feed, if any. */
export function findProductType(category: string): ProductType | undefined {
  const text = category.toLowerCase();
  if (SIM_ONLY_CATEGORY.test(text)) return 'sim-only';
  if (OTHER_CATEGORIES.test(text) && !PHONE_CATEGORY.test(text)) return 'not-a-phone';
  return NO_CONTRACT.test(text) ? 'no-contract' : undefined;
}

/** The out-of-scope product type in the name of a deal, if any. */
export function findProductTypeInName(name: string): ProductType | undefined {
  const text = name.toLowerCase();
  if (SIM_NAME.test(text)) return 'sim-only';
  if (BROADBAND_NAME.test(text)) return 'not-a-phone';
  return NO_CONTRACT.test(text) ? 'no-contract' : undefined;
}

export function isPhoneCategory(category: string): boolean {
  return PHONE_CATEGORY.test(category.toLowerCase());
}

/** The texts of records that are out of scope, by notice code. */
export const leaveOutSchema = z.strictObject({
  'sim-only': barePatternsSchema.optional(),
  'not-a-phone': barePatternsSchema.optional(),
  'no-contract': barePatternsSchema.optional(),
});

/** The product type that the configuration finds in a text. */
export function findLeftOut(settings: z.infer<typeof leaveOutSchema>, text: string): ProductType | undefined {
  return PRODUCT_TYPES.find((type) => settings[type]?.some((pattern) => matchPattern(pattern, text) !== undefined));
}

/** A column, and the out-of-scope product type that a text of it tells. */
export type ScopeRule = readonly [column: string, typeOf: (text: string) => ProductType | undefined];

/** The first rule that excludes a record, and the text that it excludes. */
export function findOutOfScope(
  rules: readonly ScopeRule[],
  textOf: (column: string) => string | undefined,
): NoticeDetails | undefined {
  for (const [field, typeOf] of rules) {
    const found = textOf(field);
    const code = found === undefined ? undefined : typeOf(found);
    if (code !== undefined) return { code, field, found };
  }
  return undefined;
}
