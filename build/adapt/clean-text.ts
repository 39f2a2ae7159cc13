import { repairText } from './repair-text.ts';

/** A text of somebody else's feed, repaired and with single spaces; undefined when it is blank or says `null`. */
export function cleanText(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || (trimmed.length === 4 && trimmed.toLowerCase() === 'null')) return undefined;
  return repairText(trimmed).replace(/\s+/g, ' ');
}
