import type { ExcludePatternSettings } from './feed-settings.ts';
import { compilePatterns } from './merge-fields.ts';
import { matchPattern, type TextPattern } from './text-pattern.ts';

/** What is out of scope for what it is, by the code under which it is left out; of two that hold the first counts. */
export const PRODUCT_TYPES = ['sim-only', 'not-a-phone', 'no-contract'] as const;

export type ProductType = (typeof PRODUCT_TYPES)[number];

const SIM_ONLY_CATEGORY = /sim[ -]?only|^sim card/;
const PREPAID_CATEGORY = /pre-?pay|pre-?paid|pay[ -]as[ -]you[ -]go|payg/;
const NO_CONTRACT_CATEGORY = /(?:contract|sim)[ -]?free/;

const OTHER_CATEGORIES =
  /broadband|tablet|ipad|watch|wearable|laptop|macbook|notebook|chromebook|modem|dongle|router|wi-?fi|mi-?fi|console|televi|\btv\b|\bcase|headphone|earphone|earbud|speaker|accessor|charger|camera|drone|tracker/;

/** `Mobile Phones & Tablets` may be either, `Phone Cases` may not. */
const PHONE_CATEGORY = /\b(?:smart)?phones?\b(?! (?:case|cover|accessor|charger))/;

/** Names say less than categories: a phone may come with a watch, and have an eSIM. */
const SIM_NAME = /\bsim[ -]?only\b|\b(?:travel|data) e?sim\b|\be?sim (?:plan|deal)s?\b/;
const BROADBAND_NAME = /\bbroadband\b/;
const NO_CONTRACT_NAME = /\b(?:sim|contract)[ -]free\b|\bpayg\b|\bpay[ -]as[ -]you[ -]go\b|\bpre-?(?:pay|paid)\b/;

/** What a category of a feed says is sold, if that is out of scope. */
export function findProductType(category: string): ProductType | undefined {
  const text = category.toLowerCase();
  if (SIM_ONLY_CATEGORY.test(text)) return 'sim-only';
  if (OTHER_CATEGORIES.test(text) && !PHONE_CATEGORY.test(text)) return 'not-a-phone';
  return PREPAID_CATEGORY.test(text) || NO_CONTRACT_CATEGORY.test(text) ? 'no-contract' : undefined;
}

/** What the name of an offer says is sold, if that is out of scope. */
export function findProductTypeInName(name: string): ProductType | undefined {
  const text = name.toLowerCase();
  if (SIM_NAME.test(text)) return 'sim-only';
  if (BROADBAND_NAME.test(text)) return 'not-a-phone';
  return NO_CONTRACT_NAME.test(text) ? 'no-contract' : undefined;
}

/** Whether a category is one of phones. */
export function isPhoneCategory(category: string): boolean {
  return PHONE_CATEGORY.test(category.toLowerCase());
}

/** Finds the code under which the configuration leaves out what is called so, if it does. */
export type ExcludeMatcher = (text: string) => ProductType | undefined;

export function compileExcludeMatcher(settings: ExcludePatternSettings): ExcludeMatcher {
  const templates = PRODUCT_TYPES.map((kind): readonly [ProductType, readonly TextPattern[]] => [
    kind,
    compilePatterns(settings[kind] ?? []),
  ]);
  return (text) => {
    const fits = (template: TextPattern): boolean => matchPattern(template, text) !== undefined;
    return templates.find(([, each]) => each.some(fits))?.[0];
  };
}
