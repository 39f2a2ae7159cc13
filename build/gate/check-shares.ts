import type { SourceReport } from '../../data/report/report.ts';
import type { DealFigures } from '../../data/report/summary.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import { perPart, type ComparedPart } from './compare-sources.ts';
import {
  comparing,
  findWorst,
  formatPercent,
  measureShare,
  toGateCheck,
  toleranceForFew,
  widenTolerance,
  type GateCheck,
  type GateInput,
  type Measurement,
} from './measurement.ts';

/** The share of faulty records among those of a source that are in scope. */
export function checkQuarantined(input: GateInput): readonly GateCheck[] {
  const { maxQuarantined, minRows } = input.settings;
  return listFresh(input.sources).map((source) => {
    const inScope = countInScope(source);
    const rowCount = Math.max(inScope, countInScope(findBefore(input, source.name)));
    if (inScope === 0 || rowCount < minRows) {
      return toGateCheck({ silent: `${rowCount} records in scope; ${minRows} needed` }, source.name);
    }
    const limit = widenTolerance(maxQuarantined, inScope);
    return toGateCheck(measureShare(source.quarantined, inScope, limit), source.name);
  });
}

/** Rows that come twice, also under another id. */
export const checkDuplicates = comparing((input) => {
  const { maxDuplicateGain, minRows } = input.settings;
  return listFresh(input.sources)
    .filter(({ kind }) => kind === 'feed')
    .map((source) => {
      const before = findBefore(input, source.name);
      const rowCount = countInScope(before);
      if (before === undefined || rowCount === 0 || rowCount < minRows) {
        return toGateCheck({ silent: `${rowCount} records in scope before; ${minRows} needed` }, source.name);
      }
      const shareBefore = before.duplicate / rowCount;
      const share = source.duplicate / Math.max(1, countInScope(source));
      const detail = `${formatPercent(share)} of the records are duplicates, ${formatPercent(shareBefore)} before, at most ${formatPercent(maxDuplicateGain)} more`;
      const measured = Math.max(0, share - shareBefore);
      return toGateCheck({ measured, limit: maxDuplicateGain, detail }, source.name);
    });
});

/** Finds missing prices that were read as 0. */
export const checkZeroPrices = perPart((part, { settings }) =>
  findWorst([
    measureFewer(part, ({ zeroUpfront }) => zeroUpfront, 'cost something upfront', settings.maxZeroedPrices, settings),
    measureFewer(part, ({ zeroMonthly }) => zeroMonthly, 'cost something a month', settings.maxZeroedPrices, settings),
  ]),
);

export const checkUnlimited = perPart((part, { settings }) => {
  const limit = settings.maxLiftedLimits;
  const limited = measureFewer(
    part,
    ({ unlimitedData }) => unlimitedData,
    'have a limit on their data',
    limit,
    settings,
  );
  // A network may start or end unlimited tariffs.
  if (part.kind === 'network') return limited;
  const countLimited = ({ deals, unlimitedData }: DealFigures): number => deals - unlimitedData;
  return findWorst([limited, measureFewer(part, countLimited, 'have unlimited data', limit, settings)]);
});

/** Finds one link for deals that had links of their own. */
export const checkLostLinks = perPart(({ kind, before, now, days }, { settings: { maxLostLinks, minRows } }) => {
  if (kind === 'network') return { silent: 'deals of several networks may share a link' };
  if (before.links === undefined || now?.links === undefined) return { silent: 'no count of links' };
  if (before.links < minRows / 4) return { silent: `${before.links} links before; ${Math.ceil(minRows / 4)} needed` };
  const [linksBefore, links] = [before.links / before.deals, now.links / now.deals];
  const measured = Math.max(0, 1 - links / linksBefore);
  const limit = Math.max(maxLostLinks, toleranceForFew(before.links, days));
  const detail = `${now.links} links for ${now.deals} deals, ${before.links} for ${before.deals} before (${formatPercent(measured)} fewer), at most ${formatPercent(limit)}`;
  return { measured, limit, detail };
});

/**
 * The drop of the number of deals that have what `countLacking` does not count. It is a share of those that had it, so
 * it shows as much when nearly all deals are unlimited as when few are.
 */
function measureFewer(
  { before, now, days }: ComparedPart,
  countLacking: (figures: DealFigures) => number | undefined,
  what: string,
  limit: number,
  settings: GateSettings,
): Measurement {
  const minRows = Math.ceil(settings.minRows / 4);
  const lacking = countLacking(before);
  const lackingNow = now === undefined ? undefined : countLacking(now);
  if (lacking === undefined || now === undefined || lackingNow === undefined)
    return { silent: `no count of deals that ${what}` };
  const countBefore = before.deals - lacking;
  if (now.deals === 0 || countBefore === 0 || countBefore < minRows) {
    return { silent: `${countBefore} deals that ${what} before, and ${now.deals} deals now; ${minRows} and 1 needed` };
  }
  const shareBefore = countBefore / before.deals;
  const share = (now.deals - lackingNow) / now.deals;
  const measured = Math.max(0, 1 - share / shareBefore);
  const raised = Math.max(limit, toleranceForFew(countBefore, days));
  const detail = `${formatPercent(share)} of the deals ${what}, ${formatPercent(shareBefore)} before (${formatPercent(measured)} fewer), at most ${formatPercent(raised)}`;
  return { measured, limit: raised, detail };
}

function listFresh(sources: readonly SourceReport[]): readonly SourceReport[] {
  return sources.filter(({ state }) => state === 'fresh');
}

function findBefore({ served }: GateInput, name: string): SourceReport | undefined {
  if (served.kind !== 'known') return undefined;
  const before = served.manifest.sources.find((source) => source.name === name);
  return before && { ...before, ...before.whenFresh };
}

function countInScope(source: SourceReport | undefined): number {
  return source === undefined ? 0 : source.read - source.outOfScope;
}
