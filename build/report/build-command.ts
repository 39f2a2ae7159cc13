import type { GateResult } from '../../data/report/report.ts';

/** What whoever started a build told it, to be told again. */
export interface GivenOptions {
  readonly config?: string | undefined;
  readonly store?: string | undefined;
  readonly now?: Date | undefined;
  readonly accept?: readonly string[] | undefined;
}

/** The command that builds the same catalogue into the same store, for a shell. */
export function writeBuildCommand({ config, store, now, accept = [] }: GivenOptions): string {
  return [
    'deals build',
    ...(config === undefined ? [] : [`--config ${quoteForShell(config)}`]),
    ...(store === undefined ? [] : [`--store ${quoteForShell(store)}`]),
    ...(now === undefined ? [] : [`--now ${now.toISOString()}`]),
    ...accept.map((gate) => `--accept ${quoteForShell(gate)}`),
  ].join(' ');
}

/** The command that publishes what these gates refuse; undefined when none does. */
export function writeAcceptCommand(given: GivenOptions, gates: readonly GateResult[]): string | undefined {
  const refused = gates.filter(({ state }) => state === 'refused').map(({ gate }) => gate);
  if (refused.length === 0) return undefined;
  return writeBuildCommand({ ...given, accept: [...(given.accept ?? []), ...refused] });
}

/** A word as a shell reads it back. */
export function quoteForShell(word: string): string {
  return /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
