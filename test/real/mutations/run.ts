import { join } from 'node:path';
import { createBuilder, type Builder } from './build.ts';
import { measure, type Outcome } from './measure.ts';
import type { Mutation } from './mutation.ts';
import { createWorld, type World, type WorldName } from './world.ts';

interface RunOptions {
  readonly program: string;
  /** A process for each command, in place of one for many. */
  readonly isSpawned: boolean;
  readonly mutations: readonly Mutation[];
  readonly seed: number;
  readonly jobs: number;
  readonly folder: string;
  readonly report: (outcome: Outcome) => void;
}

/** Measures mutations, several at a time, in worlds that are built once. */
export async function runMutations(options: RunOptions): Promise<Outcome[]> {
  const { program, isSpawned, mutations, folder } = options;
  const builders = Array.from({ length: options.jobs }, () => createBuilder(program, isSpawned));
  const [first] = builders;
  if (first === undefined) throw new RangeError('jobs: expected one or more');
  const worlds = new Map<WorldName, World>();
  const wanted = new Set(mutations.map(({ world }) => world));
  for (const name of ['sample', 'mixed', 'bench'] as const) {
    if (!wanted.has(name) && !(name === 'sample' && wanted.has('mixed'))) continue;
    worlds.set(name, await createWorld(first, join(folder, name), name, worlds.get('sample')));
  }
  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async (builder: Builder) => {
    for (let at = next++; at < mutations.length; at = next++) {
      const mutation = mutations[at] as Mutation;
      const world = worlds.get(mutation.world) as World;
      const seed = (options.seed * 1_000_003 + hashText(mutation.name)) >>> 0;
      const outcome = await measure(builder, world, mutation, seed, join(folder, `run-${at}`));
      outcomes[at] = outcome;
      options.report(outcome);
    }
  };
  await Promise.all(builders.map(work));
  for (const builder of builders) builder.end();
  return outcomes;
}

/** A number of a text, for seeds. */
function hashText(text: string): number {
  let hash = 2_166_136_261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619);
  return hash >>> 0;
}

/** What a mutation is called in tables and tests. */
export const nameOf = ({ world, feed, name }: Mutation): string => `${world}/${feed}: ${name}`;

export function describeOutcome({ mutation, status, wrong, lost, failures, said }: Outcome): string {
  const { wanted } = mutation;
  const found = failures.map((failure) => `${failure.class} (${failure.detail})`).join('; ');
  const words = said.slice(0, 4).join('; ') + (said.length > 4 ? `; and ${said.length - 4} more` : '');
  return [
    failures.length > 0 ? 'FAIL' : wanted === 'silent' ? 'silent' : 'ok',
    nameOf(mutation),
    `status ${status}`,
    `wrong ${wrong}`,
    `lost ${lost}`,
    found === '' ? wanted : `wanted ${wanted}: ${found}`,
    `said: ${words === '' ? 'nothing' : words}`,
  ].join(' | ');
}

export function describeSummary(outcomes: readonly Outcome[]): string {
  const failed = outcomes.filter(({ failures }) => failures.length > 0);
  const classes = new Map<string, number>();
  for (const name of failed.flatMap(({ failures }) => [...new Set(failures.map((failure) => failure.class))])) {
    classes.set(name, (classes.get(name) ?? 0) + 1);
  }
  const silent = outcomes.filter(({ mutation }) => mutation.wanted === 'silent');
  const sound = outcomes.filter(({ mutation }) => mutation.wanted === 'accept');
  const wrong = outcomes.filter((outcome) => outcome.mutation.wanted !== 'accept' && outcome.wrong > 0);
  return [
    `${outcomes.length} mutations: ${failed.length} fail, ${silent.length} that nothing can tell`,
    `  of ${sound.length} sound nights ${sound.filter(({ isHeld }) => isHeld).length} are held in a part`,
    `  of ${outcomes.length - sound.length} damages ${wrong.length} publish a wrong value, ${wrong.filter(({ status }) => status === 0).length} with exit status 0`,
    ...[...classes].sort(([, a], [, b]) => b - a).map(([name, count]) => `  ${name}: ${count}`),
    ...silent.map(
      ({ mutation, status, wrong }) =>
        `  silent: ${nameOf(mutation)} (status ${status}, wrong ${wrong}): ${mutation.because ?? ''}`,
    ),
  ].join('\n');
}
