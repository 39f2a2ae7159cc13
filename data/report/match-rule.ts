/** The rules by which a deal may find its product, most exact first, with what each goes by. */
export const MATCH_RULE_MEANINGS = {
  productId: 'the product id that the feed states',
  feedId: 'an id of the feed that `matches.feedIds` of the product lists',
  gtin: 'a GTIN that `matches.gtins` of the product lists',
  statedName: 'a name that `matches.names` of the product lists',
  name: 'the name of the phone, compared word by word',
} as const;

export type MatchRule = keyof typeof MATCH_RULE_MEANINGS;

export const MATCH_RULES = Object.keys(MATCH_RULE_MEANINGS) as [MatchRule, ...MatchRule[]];
