/** The two kinds of a product (spec §2.2, §4.3). */
export const CONDITIONS = ['new', 'refurbished'] as const;

export type Condition = (typeof CONDITIONS)[number];

export function isCondition(text: string): text is Condition {
  return (CONDITIONS as readonly string[]).includes(text);
}

/** `condition` as a deal shows it: capitalised (spec §2.5). */
export const CONDITION_LABEL = { new: 'New', refurbished: 'Refurbished' } satisfies Record<Condition, string>;
