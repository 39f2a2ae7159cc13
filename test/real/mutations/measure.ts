import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Build, Builder } from './build.ts';
import { damageCmsFolder } from './cms-step.ts';
import { readField, type Table } from './feed-file.ts';
import { mutate } from './kind.ts';
import type { Mutation } from './mutation.ts';
import { currentSnapshot, fingerprint, readSnapshot, type ServedDeal, type Snapshot } from './snapshot-facts.ts';
import { NIGHTS, soundBytes, subjectOf, type FeedFile, type World } from './world.ts';

/** Why a mutation fails, by class. */
type FailureClass =
  | 'crash'
  | 'accounting'
  | 'wrong'
  | 'wrong words'
  | 'lost unsaid'
  | 'refused'
  | 'other feed'
  | 'not held'
  | 'not refused'
  | 'false alarm'
  | 'recovery';

export interface Outcome {
  readonly mutation: Mutation;
  readonly status: number;
  /** Deals that are served with another value than the sound one. */
  readonly wrong: number;
  /** By the fact that is wrong. */
  readonly wrongFacts: string;
  readonly lost: number;
  /** Whether the feed, or a part of it, is not served from the file. */
  readonly isHeld: boolean;
  /** What the build says that it did not say of the sound night. */
  readonly said: readonly string[];
  readonly failures: readonly { readonly class: FailureClass; readonly detail: string }[];
}

/** Builds a damaged feed over the sound snapshot of a world, then a sound one over that, and judges both. */
export async function measure(
  builder: Builder,
  world: World,
  mutation: Mutation,
  seed: number,
  folder: string,
): Promise<Outcome> {
  const outcome = await measureIn(builder, world, mutation, seed, folder);
  rmSync(folder, { recursive: true });
  return outcome;
}

/** A sound night follows one damaged night in so many. */
const RECOVERY_EVERY = 4;

async function measureIn(
  builder: Builder,
  world: World,
  mutation: Mutation,
  seed: number,
  folder: string,
): Promise<Outcome> {
  cpSync(world.folder, folder, { recursive: true });
  const file = world.feeds.get(mutation.feed);
  if (file === undefined) throw new RangeError(`${mutation.name}: no feed ${mutation.feed}`);
  const sound = soundBytes(file);
  const mutated = mutateSomewhere(world, mutation, seed, sound);
  if (mutation.required === true) requireSource(folder, mutation.cms === undefined ? mutation.feed : 'site');
  const path = join(folder, file.path);
  if (mutated.bytes === undefined) rmSync(path);
  else writeFileSync(path, mutated.bytes);
  if (mutation.cms !== undefined) damageCmsFolder(join(folder, 'cms'), mutation.cms);
  const first = await builder.build(folder, NIGHTS[2]);
  const outcome = judge(world, file, mutation, mutated.table, first, join(folder, 'store'));
  if (
    outcome.failures.length === 0 &&
    mutation.wanted !== 'silent' &&
    (mutation.wanted === 'accept' || seed % RECOVERY_EVERY === 0)
  ) {
    writeFileSync(path, sound);
    if (mutation.cms !== undefined) cpSync(join(world.folder, 'cms'), join(folder, 'cms'), { recursive: true });
    const failure = await recover(builder, world, mutation, folder);
    if (failure !== undefined) return { ...outcome, failures: [{ class: 'recovery', detail: failure }] };
  }
  return outcome;
}

/** The rows and values that a seed chooses may be such that nothing is changed: then another seed chooses. */
function mutateSomewhere(world: World, mutation: Mutation, seed: number, sound: Buffer): ReturnType<typeof mutate> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const mutated = mutate(subjectOf(world, mutation.feed, seed + attempt), mutation.steps);
    if (mutation.cms !== undefined || mutated.bytes?.equals(sound) !== true) return mutated;
  }
  throw new RangeError(`${mutation.name} changes nothing`);
}

function requireSource(folder: string, source: string): void {
  const file = join(folder, 'catalogue.json');
  const text = readFileSync(file, 'utf8').replace(`"name": "${source}",`, `"name": "${source}", "required": true,`);
  writeFileSync(file, text);
}

/** Fewer deals are not judged alone (INPUTS). */
const MIN_ROWS = 20;

function judge(world: World, file: FeedFile, mutation: Mutation, table: Table, result: Build, store: string): Outcome {
  const failures: { class: FailureClass; detail: string }[] = [];
  const fail = (kind: FailureClass, detail: string) => failures.push({ class: kind, detail });
  const said = whatIsSaid(world, result);
  const isPublished = result.status === 0 || result.status === 4;
  const isStackTrace = /\n\s+at .+:\d+:\d+/u.test(result.stderr);
  if ((!isPublished && result.status !== 3) || isStackTrace) {
    fail('crash', `exit status ${result.status}: ${lastLine(result.stderr)}`);
  }
  for (const source of result.report?.sources ?? []) {
    const { read, kept, duplicate, outOfScope, quarantined } = source;
    const sum = kept + duplicate + outOfScope + quarantined;
    if (read !== sum) fail('accounting', `${source.name}: read ${read}, accounted for ${sum}`);
  }
  const base = { mutation, status: result.status, said, failures };
  if (!isPublished) {
    if (currentSnapshot(store) !== world.snapshot.id) fail('not refused', 'another snapshot is current');
    const mayRefuse = mutation.wanted === 'refused' || mutation.wanted === 'refused or held';
    if (result.status === 3 && !mayRefuse) {
      fail(mutation.wanted === 'accept' ? 'false alarm' : 'refused', firstRefusal(result));
    }
    return { ...base, wrong: 0, wrongFacts: '', lost: 0, isHeld: false };
  }
  const served = readSnapshot(store);
  const difference = compare(world, file, mutation, table, served);
  const { wrong, lost, otherWords, wrongFacts, recordsWrong, othersChanged } = difference;
  const source = result.report?.sources.find(({ name }) => name === mutation.feed);
  const notices = (result.report?.notices ?? [])
    .filter(({ source, outcome }) => source === mutation.feed && outcome === 'notice')
    .reduce((sum, { count }) => sum + count, 0);
  const isHeld = source?.state === 'carried-forward' || (source?.held ?? []).length > 0;
  switch (mutation.wanted) {
    case 'silent':
      break;
    case 'refused':
      fail('not refused', `exit status ${result.status}, wrong ${wrong}, records changed ${recordsWrong}`);
      break;
    case 'accept':
      // A part that is held for a real change shows what it did, and costs nothing else.
      if (source?.state !== 'fresh' || lost > 0) fail('false alarm', said.join('; '));
      else if (isHeld) break;
      else if (wrong > 0 || lost > 0 || (otherWords > 0 && keepsWords(mutation)))
        fail('false alarm', `${wrong} other than written, ${lost} lost, ${otherWords} other words`);
      break;
    case 'notice':
      if (wrong > notices) fail('wrong', `${wrong} deals, ${notices} notices`);
      break;
    case 'held':
    case 'safe':
    case 'refused or held':
      // Below the limits of a gate a person is asked to look.
      if ((wrong > 0 && result.status === 0) || recordsWrong > 0)
        fail('wrong', `${wrongFacts}${recordsWrong > 0 ? `, ${recordsWrong} records` : ''}`);
      if (otherWords > 0 && said.length === 0) fail('wrong words', `${otherWords} deals, nothing said`);
      if (mutation.wanted === 'held' && (result.status !== 4 || !isHeld)) {
        fail('not held', `exit status ${result.status}, ${source?.state ?? 'no source'}`);
      }
      if (isHeld && result.status !== 4) fail('not held', `held, with exit status ${result.status}`);
      // A deal that comes to equal another one changes which of its duplicates are counted. What is left of a retailer of
      // which other networks are held may be too little to be judged.
      if (
        lost * 0.98 - 1 >
        newlyLeftOut(world, result, mutation.feed) + difference.newcomers + (isHeld ? MIN_ROWS : 0)
      ) {
        fail('lost unsaid', `${lost} deals`);
      }
      if (result.status === 0 && difference.hasLostTooMuch) fail('not held', `${lost} deals lost, exit status 0`);
      break;
  }
  if (mutation.cms === undefined && othersChanged > 0) fail('other feed', `${othersChanged} deals of other feeds`);
  for (const other of result.report?.sources ?? []) {
    if (other.name !== mutation.feed && other.state !== 'fresh' && mutation.cms === undefined) {
      fail('other feed', `${other.name} is ${other.state}`);
    }
  }
  return { ...base, wrong: wrong + recordsWrong, wrongFacts, lost, isHeld };
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

function firstRefusal(result: Build): string {
  const gates = result.report?.gates.filter(({ state }) => state === 'refused') ?? [];
  return gates.length > 0 ? gates.map(({ gate }) => gate).join(', ') : lastLine(result.stderr);
}

/** Whether no step changes the words of a deal on purpose. */
const keepsWords = ({ steps }: Mutation): boolean =>
  !steps.some((step) => 'fields' in step && step.fields.includes('contractName'));

/** New findings, gates that did not pass, and sources that are not fresh. */
function whatIsSaid(world: World, { report }: Build): string[] {
  if (report === undefined) return [];
  const before = new Map(
    world.report.notices.map((notice) => [`${notice.source} ${notice.code}`, notice.count] as const),
  );
  const notices = report.notices
    .filter((notice) => notice.count > (before.get(`${notice.source} ${notice.code}`) ?? 0))
    .map(({ code, source, count }) => `${code} of ${source} x ${count - (before.get(`${source} ${code}`) ?? 0)}`);
  const gates = report.gates.filter(({ state }) => state !== 'passed').map(({ gate, state }) => `${gate} ${state}`);
  const held = report.sources
    .filter(({ state }) => state !== 'fresh')
    .map(({ name, state, heldBecause }) => `${name} ${state}${heldBecause === undefined ? '' : `: ${heldBecause}`}`);
  return [...held, ...gates, ...notices];
}

/** Records that are left out now and were not in the sound night, by the codes that rose. */
function newlyLeftOut(world: World, { report }: Build, feed: string): number {
  const isCounted = ({ source, outcome }: { readonly source: string; readonly outcome: string }) =>
    source === feed && ['quarantined', 'out-of-scope', 'duplicate'].includes(outcome);
  const before = new Map(world.report.notices.filter(isCounted).map(({ code, count }) => [code, count] as const));
  return (report?.notices ?? [])
    .filter(isCounted)
    .reduce((sum, { code, count }) => sum + Math.max(0, count - (before.get(code) ?? 0)), 0);
}

interface Difference {
  readonly wrong: number;
  readonly wrongFacts: string;
  readonly otherWords: number;
  readonly lost: number;
  /** Products, networks and retailers that are served otherwise. */
  readonly recordsWrong: number;
  /** Deals of other feeds that are not served as before. */
  readonly othersChanged: number;
  /** Deals that were not served before, and may have been counted as left out. */
  readonly newcomers: number;
  /** More of the feed, or of a retailer in it, than the default gates let pass. */
  readonly hasLostTooMuch: boolean;
}

function compare(world: World, file: FeedFile, mutation: Mutation, table: Table, served: Snapshot): Difference {
  const written = mutation.wanted === 'accept' ? readWritten(world, file, table) : new Map<string, ServedDeal>();
  const expected = new Set<string>();
  for (const deal of world.snapshot.deals) expected.add(fingerprint(written.get(deal.key) ?? deal));
  const facts = new Map<string, number>();
  const [found, excused] = [new Set<string>(), new Set<string>()];
  const [wrong, wordsOf]: [ServedDeal[], ServedDeal[]] = [[], []];
  for (const deal of served.deals) {
    const print = fingerprint(deal);
    const known = world.truth.get(print);
    const asWritten = written.get(deal.key);
    found.add(print);
    // A real change may mend a record that was left out.
    if (mutation.wanted === 'accept' && !world.dealOf.has(deal.key)) continue;
    const isWritten = asWritten !== undefined && fingerprint(asWritten) === print && asWritten.link === deal.link;
    if (isWritten) continue;
    if (known === undefined || !known.links.has(deal.link) || (mutation.wanted === 'accept' && !expected.has(print))) {
      if (mutation.allowsSmallMoves === true && isSmallMove(deal, world.dealOf.get(deal.key))) {
        excused.add(deal.key);
        continue;
      }
      wrong.push(deal);
      for (const name of whatDiffers(deal, asWritten ?? world.dealOf.get(deal.key))) {
        facts.set(name, (facts.get(name) ?? 0) + 1);
      }
    } else if (!known.words.has(deal.words)) wordsOf.push(deal);
  }
  const missing = world.snapshot.deals.filter((deal) => !found.has(fingerprint(written.get(deal.key) ?? deal)));
  const missingKeys = missing.filter(({ key }) => !excused.has(key) && !wrong.some((deal) => deal.key === key));
  const isOwn = ({ source }: ServedDeal) => source === mutation.feed || mutation.cms !== undefined;
  const recordsWrong = [...world.snapshot.records].filter(([key, text]) => {
    const now = served.records.get(key);
    return now !== undefined && now !== text;
  }).length;
  return {
    wrong: wrong.filter(isOwn).length,
    wrongFacts: [...facts].map(([name, count]) => `${name} ${count}`).join(', '),
    otherWords: wordsOf.length,
    lost: missingKeys.filter(isOwn).length,
    recordsWrong,
    othersChanged: [...missingKeys, ...wrong].filter((deal) => !isOwn(deal)).length,
    newcomers: wrong.filter(({ key }) => !world.dealOf.has(key)).length,
    hasLostTooMuch: hasLostTooMuch(
      world.snapshot.deals.filter(({ source }) => source === mutation.feed),
      new Set(missingKeys.map(({ key }) => key)),
    ),
  };
}

/** A tenth of a feed, or half of a retailer of twenty deals, are for a person to look at (`maxLost`). */
function hasLostTooMuch(deals: readonly ServedDeal[], lost: ReadonlySet<string>): boolean {
  const isOver = (of: readonly ServedDeal[], limit: number) =>
    of.length >= 20 && of.filter(({ key }) => lost.has(key)).length > of.length * limit + 1;
  const retailers = new Set(deals.map(({ facts }) => facts.retailer));
  return (
    isOver(deals, 0.1) ||
    [...retailers].some((name) =>
      isOver(
        deals.filter(({ facts }) => facts.retailer === name),
        0.5,
      ),
    )
  );
}

/** A price that moves within the factor that INPUTS "What must never go out" names is one of a promotion. */
function isSmallMove(deal: ServedDeal, sound: ServedDeal | undefined): boolean {
  if (sound === undefined) return false;
  const isWithin = (now: number, before: number) => now <= before * 2.5 && before <= now * 2.5;
  const { facts } = deal;
  return isWithin(facts.totalPence, sound.facts.totalPence) && isWithin(facts.monthlyPence, sound.facts.monthlyPence);
}

function whatDiffers(deal: ServedDeal, sound: ServedDeal | undefined): string[] {
  if (sound === undefined) return ['not served before'];
  const names = Object.entries(deal.facts).flatMap(([name, fact]) =>
    fact === sound.facts[name as keyof typeof sound.facts] ? [] : [name],
  );
  return names.length > 0 ? names : ['link'];
}

/** What a careful reader makes of the rows of a real change: the sound deal, with the cells that are others now. */
function readWritten(world: World, file: FeedFile, table: Table): Map<string, ServedDeal> {
  const { shape } = file;
  const rowOf = new Map(table.rows.map((row) => [readField(shape, table, row, 'dealId')[0] ?? '', row] as const));
  const result = new Map<string, ServedDeal>();
  const changeable = ['upfrontCost', 'monthlyCost', 'totalCost'].filter((field) => hasField(file, table, field));
  for (const before of file.table.rows) {
    const [id = ''] = readField(shape, file.table, before, 'dealId');
    const deal = world.snapshot.deals.find((each) => each.source === file.name && each.id === id);
    const row = rowOf.get(id);
    if (deal === undefined || row === undefined) continue;
    const fact = (field: string) => readField(shape, table, row, field)[0] ?? '';
    const changed = changeable.filter((field) => fact(field) !== readField(shape, file.table, before, field)[0]);
    if (changed.length === 0) continue;
    const amount = (field: string) => Math.round(Number(fact(field).replaceAll(/[£,]/gu, '')) * 100);
    const upfrontPence = amount('upfrontCost');
    const monthlyPence = amount('monthlyCost');
    const computed = upfrontPence + monthlyPence * deal.facts.months;
    const isStated = changeable.includes('totalCost') && fact('totalCost') !== '';
    const totalPence = isStated ? amount('totalCost') : computed;
    result.set(deal.key, { ...deal, facts: { ...deal.facts, upfrontPence, monthlyPence, totalPence } });
  }
  return result;
}

function hasField(file: FeedFile, table: Table, field: string): boolean {
  try {
    return readField(file.shape, table, table.rows[0] ?? [], field).length > 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The sound file of the next night is taken at once, what was held out for a price jump one night later; both are said. */
async function recover(
  builder: Builder,
  world: World,
  mutation: Mutation,
  folder: string,
): Promise<string | undefined> {
  const wanted = new Set(world.snapshot.deals.map(fingerprint));
  let missing = 0;
  for (const now of NIGHTS.slice(3)) {
    const { status, report, stderr } = await builder.build(folder, now, '--accept', 'old-file');
    if (status !== 0 && status !== 4) return `exit status ${status}: ${lastLine(stderr)}`;
    const stale = report?.sources.find(({ state, held = [] }) => state !== 'fresh' || held.length > 0);
    if (stale !== undefined) return `${stale.name} is ${stale.state}`;
    const served = new Set(readSnapshot(join(folder, 'store')).deals.map(fingerprint));
    missing = [...wanted].filter((print) => !served.has(print)).length;
    const extra = [...served].filter((print) => !wanted.has(print)).length;
    if (missing === 0 && extra === 0) return undefined;
    if (mutation.wanted === 'accept' && extra === 0) return undefined;
  }
  return `${missing} deals are not back`;
}
