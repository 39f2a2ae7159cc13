import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { byTier } from '../../fault/tier.ts';
import { HeldDeals } from '../../fault/publish/held-deals.ts';
import { measure, type Outcome } from './measure.ts';
import { MUTATIONS, type Mutation } from './mutation.ts';
import { createWorld, type World, type WorldName } from './world.ts';

const SEED = Number(process.env['MUTATIONS_SEED'] ?? 1);
/** Chooses by world, feed and name, and has each outcome printed: `^sample house money`. */
const ONLY = process.env['MUTATIONS_ONLY'];

const nameOf = ({ world, feed, name }: Mutation): string => `${world} ${feed} ${name}`;

/** One of each class. */
const SPREAD = new Set([
  'sample house condition renamed grade',
  'sample house money /100 (a tenth)',
  'sample house products permuted (a big retailer)',
  'sample house a JSON error in place of the file',
  'sample house cut at 99.9 % inside a row',
  'sample house prices 8 % up',
  'sample awin names shifted by a row, ids kept',
  'sample house CMS: the networks file missing',
]);

const ofTier = byTier<(mutation: Mutation, at: number) => boolean>({
  first: (mutation) => SPREAD.has(nameOf(mutation)),
  second: (_, at) => at % 3 === SEED % 3,
  long: () => true,
});
const chosen = MUTATIONS.filter(
  ONLY === undefined ? ofTier : (mutation) => new RegExp(ONLY, 'u').test(nameOf(mutation)),
);

it(
  `a damaged feed publishes no wrong value and costs no other feed: ${chosen.length} mutations, seed ${SEED}`,
  { timeout: 1_800_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mutations-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const outcomes = await measureAll(chosen, folder);
    if (ONLY !== undefined) process.stderr.write(`${outcomes.map(describeOutcome).join('\n')}\n`);
    expect(outcomes.filter(({ failures }) => failures.length > 0).map(describeOutcome)).toEqual([]);
    // Of sound nights at most one in ten is held in a part.
    const sound = outcomes.filter(({ mutation }) => mutation.wanted === 'accept');
    expect(sound.filter(({ isHeld }) => isHeld).length).toBeLessThanOrEqual(Math.ceil(sound.length / 10));
  },
);

/** Measures mutations in worlds that are built once. */
async function measureAll(mutations: readonly Mutation[], folder: string): Promise<readonly Outcome[]> {
  // Processes that stay, which saves a start of Node for each of hundreds of builds.
  const lanes = await Promise.all(
    Array.from({ length: byTier({ first: 1, second: 2, long: 2 }) }, () => HeldDeals.start()),
  );
  const worlds = new Map<WorldName, World>();
  const wanted = new Set(mutations.map(({ world }) => world));
  // The mixed world is made of the sample.
  if (wanted.has('mixed')) wanted.add('sample');
  for (const name of (['sample', 'mixed', 'bench'] as const).filter((each) => wanted.has(each)))
    worlds.set(name, await createWorld(lanes[0] as HeldDeals, join(folder, name), name, worlds.get('sample')));
  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async (held: HeldDeals) => {
    for (let at = next++; at < mutations.length; at = next++) {
      const mutation = mutations[at] as Mutation;
      const seed = (SEED * 1_000_003 + hashText(mutation.name)) >>> 0;
      const world = worlds.get(mutation.world) as World;
      outcomes[at] = await measure(held, world, mutation, seed, join(folder, `run-${at}`));
    }
  };
  await Promise.all(lanes.map(work));
  for (const held of lanes) await held.kill();
  return outcomes;
}

/** A number of a text, for seeds. */
function hashText(text: string): number {
  let hash = 2_166_136_261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619);
  return hash >>> 0;
}

function describeOutcome({ mutation, status, wrong, lost, failures, said }: Outcome): string {
  const { wanted, because = '' } = mutation;
  return [
    failures.length > 0 ? 'FAIL' : wanted === 'silent' ? `silent, ${because}` : 'ok',
    nameOf(mutation),
    `status ${status}`,
    `wrong ${wrong}`,
    `lost ${lost}`,
    failures.length === 0 ? wanted : `wanted ${wanted}: ${failures.join('; ')}`,
    `said: ${said.slice(0, 4).join('; ') || 'nothing'}`,
  ].join(' | ');
}
