import type { SourceReport } from '../../data/report/report.ts';
import type { DealFigures } from '../../data/report/summary.ts';
import { compareFeeds, measureSourceAndParts, type ComparedPart } from './compare-sources.ts';
import {
  findWorst,
  formatPercent,
  measureShare,
  toGateCheck,
  toleranceForFew,
  widenTolerance,
  type GateCheck,
  type GateInput,
  type Measure,
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
export function checkDuplicates(input: GateInput): readonly GateCheck[] {
  if (input.served.kind !== 'known') return [{ state: 'silent', detail: input.served.reason }];
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
      return toGateCheck(
        measureGain(shareBefore, share, 'of the records are duplicates', maxDuplicateGain),
        source.name,
      );
    });
}

/** Finds missing prices that were read as 0. */
export function checkZeroPrices(input: GateInput): readonly GateCheck[] {
  const { maxZeroedPrices } = input.settings;
  return compareFeeds(input, (feed) =>
    measureSourceAndParts(input, feed, (part) =>
      findWorst([
        measureFewer(part, ({ zeroUpfront }) => zeroUpfront, 'cost something upfront', maxZeroedPrices, input),
        measureFewer(part, ({ zeroMonthly }) => zeroMonthly, 'cost something a month', maxZeroedPrices, input),
      ]),
    ),
  );
}

export function checkUnlimited(input: GateInput): readonly GateCheck[] {
  const { maxLiftedLimits } = input.settings;
  return compareFeeds(input, (feed) =>
    measureSourceAndParts(input, feed, (part) =>
      findWorst([
        measureFewer(part, ({ unlimitedData }) => unlimitedData, 'have a limit on their data', maxLiftedLimits, input),
        // A network may start or end unlimited tariffs.
        part.kind === 'network'
          ? { silent: 'a network may change its tariffs' }
          : measureFewer(
              part,
              ({ deals, unlimitedData }) => deals - unlimitedData,
              'have unlimited data',
              maxLiftedLimits,
              input,
            ),
      ]),
    ),
  );
}

/** Finds one link for deals that had links of their own. */
export function checkLostLinks(input: GateInput): readonly GateCheck[] {
  const { maxLostLinks, minRows } = input.settings;
  return compareFeeds(input, (feed) =>
    measureSourceAndParts(input, feed, ({ kind, before, now, days }) => {
      if (kind === 'network') return { silent: 'deals of several networks may share a link' };
      if (before.links === undefined || now?.links === undefined) return { silent: 'no count of links' };
      if (before.links < minRows / 4)
        return { silent: `${before.links} links before; ${Math.ceil(minRows / 4)} needed` };
      const [linksBefore, links] = [before.links / before.deals, now.links / now.deals];
      const measured = Math.max(0, 1 - links / linksBefore);
      const limit = Math.max(maxLostLinks, toleranceForFew(before.links, days));
      const detail = `${now.links} links for ${now.deals} deals, ${before.links} for ${before.deals} before (${formatPercent(measured)} fewer), at most ${formatPercent(limit)}`;
      return { measured, limit, detail };
    }),
  );
}

/**
 * The drop of the number of deals that have what `countLacking` does not count. It is a share of those that had it, so
 * it shows as much when nearly all deals are unlimited as when few are.
 */
function measureFewer(
  { before, now, days }: ComparedPart,
  countLacking: (figures: DealFigures) => number | undefined,
  what: string,
  limit: number,
  { settings }: GateInput,
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

/** `97.0% of the deals have unlimited data, 31.0% before, at most 30.0% more`. */
function measureGain(before: number, now: number, what: string, limit: number): Measure {
  const detail = `${formatPercent(now)} ${what}, ${formatPercent(before)} before, at most ${formatPercent(limit)} more`;
  return { measured: Math.max(0, now - before), limit, detail };
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
