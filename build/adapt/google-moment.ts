import { parseMoment, type Moment } from './validity.ts';

/** A day or an instant as Google has it: `2026-11-20T08:00+0100` has no colon in its zone, and some have no zone. */
export function parseGoogleMoment(text: string): Moment | undefined {
  const spelled = spellMoment(text);
  return parseMoment(spelled) ?? parseMoment(`${spelled}Z`);
}

/** The same in our own spelling; a time without a zone is UTC. */
export function spellMoment(text: string): string {
  const spelled = text
    .trim()
    .replace(/([+-][0-9]{2})([0-9]{2})$/, (zone, hours: string, minutes: string) =>
      /T/.test(text) || / /.test(text) ? `${hours}:${minutes}` : zone,
    );
  return parseMoment(spelled) === undefined && parseMoment(`${spelled}Z`) !== undefined ? `${spelled}Z` : spelled;
}
