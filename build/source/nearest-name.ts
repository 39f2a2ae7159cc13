import { findNearestWord } from '../../data/query/edit-distance.ts';

/** Half of the words of two names must be the same. */
const MIN_SIMILARITY = 0.5;

/** Usual other names of our fields; a name with a point is a nested field. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  name: ['title', 'label', 'displayName', 'fullName', 'productName', 'modelName', 'entryTitle'],
  slug: ['handle', 'permalink', 'urlKey', 'urlSlug', 'seoName', 'path'],
  condition: ['state', 'grade', 'itemCondition'],
  manufacturer: ['brand', 'maker', 'make', 'vendor'],
  model: ['series', 'family'],
  status: ['publicationStatus', 'published'],
  updatedAt: ['modified', 'lastModified', 'updated'],
  specs: ['attributes', 'specifications', 'features', 'properties'],
  aliases: ['otherNames', 'synonyms'],
  gifts: ['items', 'products'],
  logo: ['icon', 'badge'],
  logos: ['icons', 'badges'],
  'content.heading': ['heading', 'headline', 'subtitle'],
  'content.introduction': ['description', 'introduction', 'body', 'text', 'summary', 'intro'],
  'metaData.title': ['metaTitle', 'seoTitle'],
  'metaData.description': ['metaDescription', 'seoDescription'],
  'metaData.keywords': ['keywords', 'metaKeywords'],
  'images.front': ['image', 'picture', 'photo', 'thumbnail', 'imageFront', 'frontImage'],
  'images.back': ['imageBack', 'backImage'],
  'matches.gtins': ['gtin', 'gtins', 'ean', 'upc', 'barcode'],
  'matches.feedIds': ['feedIds'],
  dealId: ['offerId', 'sku', 'reference', 'uniqueId', 'merchantProductId'],
  productName: ['name', 'title', 'product', 'device', 'deviceName', 'phone', 'handset', 'model', 'modelName'],
  productId: ['phoneId', 'deviceId', 'modelId'],
  gtin: ['ean', 'upc', 'barcode'],
  storage: ['capacity', 'memory', 'size'],
  colour: ['color'],
  retailer: ['merchant', 'merchantName', 'shop', 'store', 'seller', 'supplier', 'advertiser'],
  network: ['operator', 'carrier', 'provider', 'networkName'],
  contractName: ['plan', 'planName', 'pricePlan', 'tariff', 'tariffName', 'package'],
  contractMonths: ['term', 'duration', 'contractLength', 'minimumTerm', 'contractTerm', 'length'],
  dataGb: ['data', 'dataAllowance', 'gb', 'incData', 'dataMb'],
  callMinutes: ['minutes', 'calls', 'incMinutes', 'voice'],
  textMessages: ['texts', 'sms', 'messages', 'incTexts'],
  upfrontCost: ['upfront', 'initialCost', 'deposit', 'devicePrice', 'upfrontPrice', 'price'],
  monthlyCost: ['monthly', 'monthlyPrice', 'monthCost', 'monthlyFee', 'perMonth', 'price'],
  totalCost: ['total', 'totalPrice', 'tco'],
  cashbackValue: ['cashback', 'cashbackAmount'],
  gift: ['freeGift', 'extra', 'extras'],
  dealLink: ['link', 'url', 'deepLink', 'awDeepLink', 'trackingUrl', 'productUrl'],
  productImage: ['image', 'imageUrl', 'imageLink', 'picture'],
  validFrom: ['startDate', 'starts'],
  validTo: ['endDate', 'ends', 'expires', 'expirationDate', 'expiryDate'],
  inStock: ['stock', 'availability', 'available', 'stockStatus'],
};

export function listSynonyms(field: string): readonly string[] {
  return Object.hasOwn(SYNONYMS, field) ? (SYNONYMS[field] ?? []) : [];
}

/** The nested fields within the fields of `names`. */
export function listNestedFields(names: readonly string[]): readonly string[] {
  return Object.keys(SYNONYMS).filter((name) => name.includes('.') && names.includes(name.split('.', 1)[0] ?? ''));
}

/**
 * Suggests one of `names` for `name`: a synonym, a misspelling, or the name with the most words in common, such as
 * `monthlyCost` for `monthly` or `Monthly price`. Undefined when two are equally near.
 */
export function findNearestName(name: string, names: readonly string[]): string | undefined {
  const usual = findSynonym(name, names);
  if (usual !== undefined) return usual;
  const misspelt = findNearestWord(name, names);
  if (misspelt !== undefined) return misspelt;
  const words = splitWords(name);
  const likenesses = names.map((candidate) => ({ candidate, likeness: wordSimilarity(words, splitWords(candidate)) }));
  const most = Math.max(0, ...likenesses.map(({ likeness }) => likeness));
  const nearest = likenesses.filter(({ likeness }) => likeness === most);
  return most >= MIN_SIMILARITY && nearest.length === 1 ? nearest[0]?.candidate : undefined;
}

/** The one of `names` that equals `name` without case and punctuation, or is a synonym. Undefined when two are. */
export function findSynonym(name: string, names: readonly string[]): string | undefined {
  const same = names.find((each) => foldName(each) === foldName(name));
  if (same !== undefined) return same;
  const [other, ...more] = names.filter((each) => isSynonym(each, name) || isSynonym(name, each));
  return more.length === 0 ? other : undefined;
}

function isSynonym(field: string, name: string): boolean {
  const folded = foldName(name);
  return listSynonyms(field).some((other) => foldName(other) === folded);
}

function foldName(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The share of words that both names have: 1 when they are the same. */
function wordSimilarity(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const shared = [...words].filter((word) => others.has(word)).length;
  return words.size + others.size === 0 ? 0 : (2 * shared) / (words.size + others.size);
}

/** `monthlyCost`, `monthly_cost` and `Monthly costs` have the same words. */
function splitWords(name: string): ReadonlySet<string> {
  // No name is longer.
  const words = name
    .slice(0, 200)
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return new Set((words ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)));
}
