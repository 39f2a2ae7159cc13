import { join } from 'node:path';
import { createBuilder, type Builder } from './builder.ts';
import { measure, type Outcome } from './measure.ts';
import { nameOf, type Mutation } from './mutation.ts';
import { createWorld, type World, type WorldName } from './world.ts';

interface RunOptions {
  readonly mutations: readonly Mutation[];
  readonly seed: number;
  /** How many at a time. */
  readonly jobs: number;
  readonly folder: string;
  readonly report: (outcome: Outcome) => void;
}

/** Measures mutations in worlds that are built once. */
export async function runMutations({ mutations, seed, jobs, folder, report }: RunOptions): Promise<Outcome[]> {
  const builders = await Promise.all(Array.from({ length: jobs }, createBuilder));
  const worlds = new Map<WorldName, World>();
  const wanted = new Set(mutations.map(({ world }) => world));
  // The mixed world is made of the sample.
  if (wanted.has('mixed')) wanted.add('sample');
  for (const name of (['sample', 'mixed', 'bench'] as const).filter((each) => wanted.has(each)))
    worlds.set(name, await createWorld(builders[0] as Builder, join(folder, name), name, worlds.get('sample')));
  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async (builder: Builder) => {
    for (let at = next++; at < mutations.length; at = next++) {
      const mutation = mutations[at] as Mutation;
      const world = worlds.get(mutation.world) as World;
      const own = (seed * 1_000_003 + hashText(mutation.name)) >>> 0;
      const outcome = await measure(builder, world, mutation, own, join(folder, `run-${at}`));
      outcomes[at] = outcome;
      report(outcome);
    }
  };
  await Promise.all(builders.map(work));
  for (const builder of builders) await builder.end();
  return outcomes;
}

/** A number of a text, for seeds. */
function hashText(text: string): number {
  let hash = 2_166_136_261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619);
  return hash >>> 0;
}

export function describeOutcome({ mutation, status, wrong, lost, failures, said }: Outcome): string {
  const { wanted } = mutation;
  const words = said.slice(0, 4).join('; ') + (said.length > 4 ? `; and ${said.length - 4} more` : '');
  return [
    failures.length > 0 ? 'FAIL' : wanted === 'silent' ? 'silent' : 'ok',
    nameOf(mutation),
    `status ${status}`,
    `wrong ${wrong}`,
    `lost ${lost}`,
    failures.length === 0 ? wanted : `wanted ${wanted}: ${failures.join('; ')}`,
    `said: ${words === '' ? 'nothing' : words}`,
  ].join(' | ');
}

export function describeSummary(outcomes: readonly Outcome[]): string {
  const of = (isCounted: (outcome: Outcome) => boolean) => outcomes.filter(isCounted).length;
  const sound = outcomes.filter(({ mutation }) => mutation.wanted === 'accept');
  const silent = outcomes.filter(({ mutation }) => mutation.wanted === 'silent');
  const wrong = outcomes.filter(({ mutation, wrong }) => mutation.wanted !== 'accept' && wrong > 0);
  return [
    `${outcomes.length} mutations: ${of(({ failures }) => failures.length > 0)} fail, ${silent.length} that nothing can tell`,
    `  of ${sound.length} sound nights ${sound.filter(({ isHeld }) => isHeld).length} are held in a part`,
    `  of ${outcomes.length - sound.length} damages ${wrong.length} publish a wrong value, ${wrong.filter(({ status }) => status === 0).length} with exit status 0`,
    ...silent.map((outcome) => `  ${describeOutcome(outcome)} | ${outcome.mutation.because ?? ''}`),
  ].join('\n');
}
