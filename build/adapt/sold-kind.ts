/** What is out of scope for what it is, by the code under which it is left out; of two that hold the first counts. */
export const SOLD_KINDS = ['sim-only', 'not-a-phone', 'no-contract'] as const;

export type SoldKind = (typeof SOLD_KINDS)[number];

const SIM_ONLY = /sim[ -]?only|^sim card/;
const PREPAID = /pre-?pay|pre-?paid|pay[ -]as[ -]you[ -]go|payg/;
const WITHOUT_CONTRACT = /(?:contract|sim)[ -]?free/;

const OTHER_THINGS =
  /broadband|tablet|ipad|watch|wearable|laptop|macbook|notebook|chromebook|modem|dongle|router|wi-?fi|mi-?fi|console|televi|\btv\b|\bcase|headphone|earphone|earbud|speaker|accessor|charger|camera|drone|tracker/;

/** `Mobile Phones & Tablets` may be either, `Phone Cases` may not. */
const PHONE = /\b(?:smart)?phones?\b(?! (?:case|cover|accessor|charger))/;

/** Names say less than categories: a phone may come with a watch, and have an eSIM. */
const SIM_NAME = /\bsim[ -]?only\b|\b(?:travel|data) e?sim\b|\be?sim (?:plan|deal)s?\b/;
const BROADBAND_NAME = /\bbroadband\b/;
const NO_CONTRACT_NAME = /\b(?:sim|contract)[ -]free\b|\bpayg\b|\bpay[ -]as[ -]you[ -]go\b|\bpre-?(?:pay|paid)\b/;

/** What a category of a feed says is sold, if that is out of scope. */
export function findSoldKind(category: string): SoldKind | undefined {
  const text = category.toLowerCase();
  if (SIM_ONLY.test(text)) return 'sim-only';
  if (OTHER_THINGS.test(text) && !PHONE.test(text)) return 'not-a-phone';
  return PREPAID.test(text) || WITHOUT_CONTRACT.test(text) ? 'no-contract' : undefined;
}

/** What the name of an offer says is sold, if that is out of scope. */
export function findKindInName(name: string): SoldKind | undefined {
  const text = name.toLowerCase();
  if (SIM_NAME.test(text)) return 'sim-only';
  if (BROADBAND_NAME.test(text)) return 'not-a-phone';
  return NO_CONTRACT_NAME.test(text) ? 'no-contract' : undefined;
}

/** Whether a category is one of phones. */
export function isPhoneCategory(category: string): boolean {
  return PHONE.test(category.toLowerCase());
}
