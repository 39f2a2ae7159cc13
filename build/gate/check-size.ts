import type { EntryCounts } from '../../data/report/summary.ts';
import { judge, type GateFinding, type GateInput, type Measure, worstOf } from './gate-input.ts';

const WORDS: Readonly<Record<keyof EntryCounts, string>> = {
  plans: 'plans',
  gifts: 'gifts',
  cashbacks: 'cashbacks',
  pictures: 'pictures',
  linkTemplates: 'shapes of links',
};

/**
 * What deals share is held as ready text, which costs up to fifty times as much as a deal. A plan that every deal has for
 * itself has something of the deal in its name. Feeds that are carried forward passed when they were read.
 */
export function checkEntries({ summary, sources, settings }: GateInput): readonly GateFinding[] {
  const fresh = new Set(sources.filter(({ state }) => state === 'fresh').map(({ name }) => name));
  return summary.feeds.flatMap(({ name, entries }) => {
    if (entries === undefined || !fresh.has(name)) return [];
    const measures = (Object.keys(WORDS) as (keyof EntryCounts)[]).map((kind): Measure => {
      const [measured, limit] = [entries[kind], settings.maxEntries];
      return { measured, limit, detail: `${measured} different ${WORDS[kind]}, at most ${limit}` };
    });
    return [judge(worstOf(measures), name)];
  });
}

export function checkServerMemory({ summary: { serverBytes }, settings }: GateInput): readonly GateFinding[] {
  if (serverBytes === undefined) return [];
  const [measured, limit] = [Math.ceil(serverBytes / 1e6), settings.maxServerMegabytes];
  return [judge({ measured, limit, detail: `a server needs about ${measured} MB, at most ${limit} MB` })];
}
