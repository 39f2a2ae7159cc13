/** The resource that a wrapper may name: `products(…)`, `giftcategories(…)`, `gifts(…)` (spec §4.1, §4.2). */
export const RESOURCE_WORDS = ['products', 'giftcategories', 'gifts'] as const;

export type ResourceWord = (typeof RESOURCE_WORDS)[number];
