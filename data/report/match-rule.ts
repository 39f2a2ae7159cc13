/** The rules by which a deal may find its product, most exact first, with what each goes by. */
export const MATCH_RULE_MEANINGS = {
  productId: 'the product id that the feed states',
  feedId: 'an id of the feed that `matches.feedIds` of the product lists',
  gtin: 'a GTIN that `matches.gtins` of the product lists',
  statedName: 'a name that `matches.names` of the product lists',
  name: 'the name of the phone, compared word by word',
} as const;

export type MatchRule = keyof typeof MATCH_RULE_MEANINGS;

/** Whether the rule goes by what the feed calls the phone. */
export function isNameRule(rule: MatchRule): boolean {
  return rule === 'name' || rule === 'statedName';
}

/** The line of the CMS that makes a name of a feed one of the names of a product. */
export function writeMatchesLine(name: string): string {
  return `"matches": {"names": [${JSON.stringify(name)}]}`;
}

/** The same, where what to do about the name is to add it to one product: then it sells no phone as another. */
export function findMatchesLine(name: string, remedy: string | undefined): string | undefined {
  const line = writeMatchesLine(name);
  return remedy?.includes(`${line} to product `) === true ? line : undefined;
}

export const MATCH_RULES = Object.keys(MATCH_RULE_MEANINGS) as [MatchRule, ...MatchRule[]];
