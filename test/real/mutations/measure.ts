import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NoticeSummary, SourceReport } from '../../../data/report/report.ts';
import { readCurrent } from '../../../data/store/snapshots.ts';
import type { ServedDeal } from '../../support/served-deals.ts';
import type { HeldDeals } from '../../fault/publish/held-deals.ts';
import { damageCms } from './cms-step.ts';
import { damageFeed, type Damaged } from './damage.ts';
import { columnOf, readField, soundBytes, type FeedFile, type Table } from './feed-file.ts';
import type { Mutation } from './mutation.ts';
import {
  build,
  FACTS,
  feedOf,
  fingerprint,
  keyOf,
  NIGHTS,
  readDeals,
  readRecords,
  subjectOf,
  wordsOf,
  type Build,
  type World,
} from './world.ts';

export interface Outcome {
  readonly mutation: Mutation;
  readonly status: number;
  /** Deals and records that are served with another value than the sound one. */
  readonly wrong: number;
  readonly lost: number;
  /** Whether the feed, or a part of it, is not served from the file. */
  readonly isHeld: boolean;
  /** What the build says that it did not say of the sound night. */
  readonly said: readonly string[];
  /** Each begins with its class: `wrong`, `lost unsaid`, `not held`, `false alarm` and so on. */
  readonly failures: readonly string[];
}

/** A sound night follows one damaged night in so many. */
const RECOVERY_EVERY = 4;

/** Fewer deals are not judged alone (INPUTS). */
const MIN_ROWS = 20;

/** Builds a damaged feed over the sound snapshot of a world, then a sound one over that, and judges both. */
export async function measure(
  held: HeldDeals,
  world: World,
  mutation: Mutation,
  seed: number,
  folder: string,
): Promise<Outcome> {
  cpSync(world.folder, folder, { recursive: true });
  const file = feedOf(world, mutation.feed);
  const { bytes, table } = damageSomehow(world, mutation, seed);
  if (mutation.required === true) requireSource(folder, mutation.cms === undefined ? mutation.feed : 'site');
  if (mutation.cms !== undefined) damageCms(join(folder, 'cms'), mutation.cms);
  if (bytes === undefined) rmSync(join(folder, file.path));
  else writeFileSync(join(folder, file.path), bytes);
  const built = await build(held, folder, NIGHTS[2]);
  const outcome = { mutation, ...(await judge(held, world, mutation, table, built, folder)) };
  const { wanted } = mutation;
  const isFollowed = wanted === 'accept' || (wanted !== 'silent' && seed % RECOVERY_EVERY === 0);
  if (outcome.failures.length === 0 && isFollowed) {
    writeFileSync(join(folder, file.path), soundBytes(file));
    if (mutation.cms !== undefined) cpSync(join(world.folder, 'cms'), join(folder, 'cms'), { recursive: true });
    outcome.failures.push(...(await recover(held, world, wanted === 'accept', folder)));
  }
  rmSync(folder, { recursive: true });
  return outcome;
}

/** The rows and values that a seed chooses may be such that nothing is changed: then another seed chooses. */
function damageSomehow(world: World, { name, feed, steps, cms }: Mutation, seed: number): Damaged {
  const sound = soundBytes(feedOf(world, feed));
  for (let attempt = 0; attempt < 50; attempt++) {
    const damaged = damageFeed(subjectOf(world, feed, seed + attempt), steps);
    if (cms !== undefined || damaged.bytes?.equals(sound) !== true) return damaged;
  }
  throw new RangeError(`${name} changes nothing`);
}

function requireSource(folder: string, source: string): void {
  const file = join(folder, 'catalogue.json');
  const text = readFileSync(file, 'utf8').replace(`"name": "${source}",`, `"name": "${source}", "required": true,`);
  writeFileSync(file, text);
}

async function judge(
  held: HeldDeals,
  world: World,
  mutation: Mutation,
  table: Table,
  built: Build,
  folder: string,
): Promise<Omit<Outcome, 'mutation'> & { readonly failures: string[] }> {
  const { wanted, feed, cms } = mutation;
  const { status, report, stderr } = built;
  const failures: string[] = [];
  const failIf = (isWrong: boolean, failure: string) => isWrong && failures.push(failure);
  const said = whatIsSaid(world, built);
  const sources = report?.sources ?? [];
  const isPublished = status === 0 || status === 4;

  failIf(
    (!isPublished && status !== 3) || /\n\s+at .+:\d+:\d+/u.test(stderr),
    `crash: status ${status}: ${lastLine(stderr)}`,
  );
  for (const { name, read, kept, duplicate, outOfScope, quarantined } of sources)
    failIf(read !== kept + duplicate + outOfScope + quarantined, `accounting: ${name} read ${read}`);
  if (!isPublished) {
    failIf(readCurrent(join(folder, 'store')) !== world.snapshotId, 'not refused: another snapshot is current');
    const isWanted = wanted === 'refused' || wanted === 'refused or held';
    const kind = wanted === 'accept' ? 'false alarm' : 'refused';
    failIf(status === 3 && !isWanted, `${kind}: ${firstRefusal(built)}`);
    return { status, said, failures, wrong: 0, lost: 0, isHeld: false };
  }

  const served = await readDeals(held, folder);
  const records = [...readRecords(folder)].filter(([key, text]) => (world.records.get(key) ?? text) !== text).length;
  const found = compare(world, mutation, table, served);
  const { wrong, lost, otherWords } = found;
  const source = sources.find(({ name }) => name === feed);
  const isFresh = source?.state === 'fresh';
  const isHeld = source?.state === 'carried-forward' || (source?.held ?? []).length > 0;

  if (wanted === 'refused') failures.push(`not refused: status ${status}, wrong ${wrong}, records changed ${records}`);
  if (wanted === 'accept') {
    // A part that is held for a real change shows what it did, and costs nothing else.
    const isOther = !isHeld && (wrong > 0 || (otherWords > 0 && keepsWords(mutation)));
    failIf(
      !isFresh || lost > 0 || isOther,
      `false alarm: wrong ${wrong}, lost ${lost}, other words ${otherWords}; ${said.join('; ')}`,
    );
  }
  if (wanted === 'notice') {
    const notices = countOf(report?.notices, (each) => each.source === feed && each.outcome === 'notice');
    failIf(wrong > notices, `wrong: ${wrong} deals, ${notices} notices`);
  }
  if (wanted === 'held' || wanted === 'safe' || wanted === 'refused or held') {
    // Below the limits of a gate a person is asked to look.
    failIf((wrong > 0 && status === 0) || records > 0, `wrong: ${found.wrongFacts}, ${records} records`);
    failIf(otherWords > 0 && said.length === 0, `wrong words: ${otherWords} deals, nothing said`);
    const isMissed = (wanted === 'held' && !isHeld) || ((wanted === 'held' || isHeld) && status !== 4);
    failIf(isMissed, `not held: status ${status}, ${source?.state ?? 'no source'}`);
    // A deal that comes to equal another one changes which of its duplicates are counted. What is left of a retailer of
    // which other networks are held may be too little to be judged.
    const accounted = newlyLeftOut(world, built, feed) + found.newcomers + (isHeld ? MIN_ROWS : 0);
    failIf(lost * 0.98 - 1 > accounted, `lost unsaid: ${lost} deals`);
    failIf(status === 0 && found.hasLostTooMuch, `not held: ${lost} deals lost, status 0`);
  }
  if (cms === undefined) {
    failIf(found.othersChanged > 0, `other feed: ${found.othersChanged} deals of other feeds`);
    for (const { name, state } of sources)
      failIf(name !== feed && state !== 'fresh', `other feed: ${name} is ${state}`);
  }
  return { status, said, failures, wrong: wrong + records, lost, isHeld };
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

function firstRefusal({ report, stderr }: Build): string {
  const gates = report?.gates.filter(({ state }) => state === 'refused') ?? [];
  return gates.length > 0 ? gates.map(({ gate }) => gate).join(', ') : lastLine(stderr);
}

/** Whether no step changes the words of a deal on purpose. */
const keepsWords = ({ steps }: Mutation): boolean => !steps.some(({ fields }) => fields.includes('contractName'));

function countOf(notices: readonly NoticeSummary[] = [], isCounted: (notice: NoticeSummary) => boolean): number {
  return notices.filter(isCounted).reduce((sum, { count }) => sum + count, 0);
}

/** By how much a notice was given more often than in the sound night. */
function riseOf(world: World, { source, code, count }: NoticeSummary): number {
  return Math.max(0, count - countOf(world.report.notices, (each) => each.source === source && each.code === code));
}

/** Sources that are not fresh, gates that did not pass, what moved, and new findings. */
function whatIsSaid(world: World, { report, stderr }: Build): string[] {
  const held = (report?.sources ?? []).filter(({ state }) => state !== 'fresh');
  const rising = (report?.notices ?? []).filter((notice) => riseOf(world, notice) > 0);
  return [
    ...held.map(({ name, state, held: parts = [] }: SourceReport) => `${name} ${state}: ${parts[0]?.because}`),
    ...(report?.gates ?? []).map(({ gate, state }) => `${gate} ${state}`),
    ...stderr.split('\n').filter((line) => /^(?:Prices|Offers|Plans|Links|Gifts|Gone): /u.test(line)),
    ...rising.map((notice) => `${notice.code} of ${notice.source} x ${riseOf(world, notice)}`),
  ];
}

/** Records that are left out now and were not in the sound night, by the codes that rose. */
function newlyLeftOut(world: World, { report }: Build, feed: string): number {
  const leftOut = (report?.notices ?? []).filter(
    ({ source, outcome }) => source === feed && ['quarantined', 'out-of-scope', 'duplicate'].includes(outcome),
  );
  return leftOut.reduce((sum, notice) => sum + riseOf(world, notice), 0);
}

interface Difference {
  readonly wrong: number;
  /** Which facts are wrong, with their counts. */
  readonly wrongFacts: string;
  readonly otherWords: number;
  readonly lost: number;
  /** Deals of other feeds that are not served as before. */
  readonly othersChanged: number;
  /** Deals that were not served before, and may have been counted as left out. */
  readonly newcomers: number;
  /** More of the feed, or of a retailer in it, than the default gates let pass. */
  readonly hasLostTooMuch: boolean;
}

function compare(world: World, mutation: Mutation, table: Table, served: readonly ServedDeal[]): Difference {
  const { wanted, feed, cms, allowsSmallMoves = false } = mutation;
  const isReal = wanted === 'accept';
  const written = isReal ? readWritten(world, feedOf(world, feed), table) : new Map<string, ServedDeal>();
  const expectedOf = (deal: ServedDeal) => fingerprint(written.get(keyOf(deal)) ?? deal);
  const expected = new Set(world.deals.map(expectedOf));
  const [found, excused] = [new Set<string>(), new Set<string>()];
  const wrong = new Map<string, ServedDeal>();
  let otherWords = 0;
  for (const deal of served) {
    const [key, print] = [keyOf(deal), fingerprint(deal)];
    const [known, sound, asWritten] = [world.truth.get(print), world.dealOf.get(key), written.get(key)];
    found.add(print);
    // A real change may mend a record that was left out.
    if (isReal && sound === undefined) continue;
    if (asWritten !== undefined && fingerprint(asWritten) === print && asWritten.link === deal.link) continue;
    if (known?.links.has(deal.link) === true && (!isReal || expected.has(print))) {
      if (!known.words.has(wordsOf(deal))) otherWords++;
    } else if (allowsSmallMoves && isSmallMove(deal, sound)) excused.add(key);
    else wrong.set(key, deal);
  }
  const missing = world.deals.filter((deal) => !found.has(expectedOf(deal)));
  const lost = missing.filter((deal) => !excused.has(keyOf(deal)) && !wrong.has(keyOf(deal)));
  const isOwn = (deal: ServedDeal) => deal.feed === feed || cms !== undefined;
  const wrongDeals = [...wrong.values()];
  const facts = wrongDeals.flatMap((deal) =>
    whatDiffers(deal, written.get(keyOf(deal)) ?? world.dealOf.get(keyOf(deal))),
  );
  return {
    wrong: wrongDeals.filter(isOwn).length,
    wrongFacts: [...new Set(facts)].map((fact) => `${fact} ${facts.filter((each) => each === fact).length}`).join(', '),
    otherWords,
    lost: lost.filter(isOwn).length,
    othersChanged: [...lost, ...wrongDeals].filter((deal) => !isOwn(deal)).length,
    newcomers: wrongDeals.filter((deal) => !world.dealOf.has(keyOf(deal))).length,
    hasLostTooMuch: hasLostTooMuch(
      world.deals.filter((deal) => deal.feed === feed),
      new Set(lost),
    ),
  };
}

/** A tenth of a feed, or half of a retailer of twenty deals, are for a person to look at (`maxLost`). */
function hasLostTooMuch(deals: readonly ServedDeal[], lost: ReadonlySet<ServedDeal>): boolean {
  const isOver = (of: readonly ServedDeal[], limit: number) =>
    of.length >= MIN_ROWS && of.filter((deal) => lost.has(deal)).length > of.length * limit + 1;
  const retailers = new Set(deals.map((deal) => deal.retailer_slug));
  return (
    isOver(deals, 0.1) ||
    [...retailers].some((slug) =>
      isOver(
        deals.filter((deal) => deal.retailer_slug === slug),
        0.5,
      ),
    )
  );
}

/** A price that moves within the factor that INPUTS "What must never go out" names is one of a promotion. */
function isSmallMove(deal: ServedDeal, sound: ServedDeal | undefined): boolean {
  if (sound === undefined) return false;
  return (['total_pence', 'monthly_pence'] as const).every(
    (fact) => deal[fact] <= sound[fact] * 2.5 && sound[fact] <= deal[fact] * 2.5,
  );
}

function whatDiffers(deal: ServedDeal, sound: ServedDeal | undefined): readonly string[] {
  if (sound === undefined) return ['not served before'];
  const facts = FACTS.filter((fact) => deal[fact] !== sound[fact]);
  return facts.length > 0 ? facts : ['link'];
}

/** What a careful reader makes of the rows of a real change: the sound deals, with the amounts that are others now. */
function readWritten(world: World, file: FeedFile, table: Table): Map<string, ServedDeal> {
  const { shape } = file;
  const idOf = (from: Table, row: readonly string[]) => readField(shape, from, row, 'dealId')[0] ?? '';
  const dealOf = new Map(world.deals.filter(({ feed }) => feed === file.name).map((deal) => [deal.deal_key, deal]));
  const rowOf = new Map(table.rows.map((row) => [idOf(table, row), row]));
  const fields = ['upfrontCost', 'monthlyCost', 'totalCost'].filter((field) =>
    table.header.includes(columnOf(shape, field)),
  );
  const written = new Map<string, ServedDeal>();
  for (const before of file.table.rows) {
    const id = idOf(file.table, before);
    const [deal, row] = [dealOf.get(id), rowOf.get(id)];
    if (deal === undefined || row === undefined) continue;
    const fact = (field: string) => readField(shape, table, row, field)[0] ?? '';
    if (fields.every((field) => fact(field) === readField(shape, file.table, before, field)[0])) continue;
    const amount = (field: string) => Math.round(Number(fact(field).replaceAll(/[£,]/gu, '')) * 100);
    const [upfront, monthly] = [amount('upfrontCost'), amount('monthlyCost')];
    const isStated = fields.includes('totalCost') && fact('totalCost') !== '';
    const total = isStated ? amount('totalCost') : upfront + monthly * deal.contract_months;
    written.set(keyOf(deal), { ...deal, upfront_pence: upfront, monthly_pence: monthly, total_pence: total });
  }
  return written;
}

/** The sound file of the next night is taken at once, what was held out for a price jump one night later; both are said. */
async function recover(held: HeldDeals, world: World, isReal: boolean, folder: string): Promise<string[]> {
  const wanted = new Set(world.deals.map(fingerprint));
  let missing = 0;
  for (const now of NIGHTS.slice(3)) {
    const { status, report, stderr } = await build(held, folder, now, '--accept', 'old-file');
    if (status !== 0 && status !== 4) return [`recovery: status ${status}: ${lastLine(stderr)}`];
    const stale = report?.sources.find(({ state, held = [] }) => state !== 'fresh' || held.length > 0);
    if (stale !== undefined) return [`recovery: ${stale.name} is ${stale.state}`];
    const served = new Set((await readDeals(held, folder)).map(fingerprint));
    missing = [...wanted].filter((print) => !served.has(print)).length;
    const hasOthers = [...served].some((print) => !wanted.has(print));
    if (!hasOthers && (missing === 0 || isReal)) return [];
  }
  return [`recovery: ${missing} deals are not back`];
}
