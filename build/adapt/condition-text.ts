import type { Condition } from '../../data/record/condition.ts';

/** Words by which a name or a condition says that the phone is not new. */
const REFURBISHED =
  /refurb|recondition|renewed|\bused\b|\bgrade [a-d]\b|good as new|like new|pre-?(?:owned|loved)|second[ -]?hand/i;
const NEW = /^(?:brand )?new$/i;

/** Whether a text of a feed says anywhere that the phone is not new. */
export function saysRefurbished(text: string): boolean {
  return REFURBISHED.test(text);
}

/** The condition that a feed states; undefined when the text is none that is known. */
export function parseCondition(text: string): Condition | undefined {
  if (saysRefurbished(text)) return 'refurbished';
  return NEW.test(text) ? 'new' : undefined;
}
