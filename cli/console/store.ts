import { existsSync } from 'node:fs';
import { writeBuildCommand } from '../../build/report/build-result.ts';
import { readCurrent } from '../../data/store/snapshots.ts';
import { CommandError, EXIT } from './command.ts';
import { DEFAULT_CONFIG, DEFAULT_STORE } from './options.ts';

export interface StoreOptions {
  readonly store?: string;
  readonly config?: string;
}

/** The options of a command that reads a store. */
export interface ReadOptions extends StoreOptions {
  readonly json?: true;
}

/** @param others what may be given instead, for the error */
export function requireConfig(config: string | undefined, others = ''): string {
  if (config !== undefined) return config;
  if (existsSync(DEFAULT_CONFIG)) return DEFAULT_CONFIG;
  throw new CommandError(
    EXIT.usage,
    `${DEFAULT_CONFIG}: expected a configuration, found none; deals init writes one, or name another with --config${others}`,
  );
}

/** The store of the flag or the environment, else of the configuration, else the default. */
export async function resolveStore({ store, config }: StoreOptions): Promise<string> {
  if (store !== undefined) return store;
  const file = config ?? (existsSync(DEFAULT_CONFIG) ? DEFAULT_CONFIG : undefined);
  if (file === undefined) return DEFAULT_STORE;
  // Loaded only here: a server with `--store` needs no configuration.
  const { readConfig } = await import('../../build/config/config.ts');
  return (await readConfig(file)).store;
}

/** The store, for commands that need an existing store. */
export async function requireStore(options: StoreOptions): Promise<string> {
  const store = await resolveStore(options);
  if (existsSync(store)) return store;
  throw new CommandError(
    EXIT.usage,
    `${store}: expected a store, found nothing; ${adviseBuild(options)}, or name another with --store`,
  );
}

/**
 * The store, and the snapshot that was named or is current.
 * @throws {SnapshotError} when `current.json` is damaged
 */
export async function requireSnapshot(
  options: StoreOptions,
  wanted?: string,
): Promise<{ readonly store: string; readonly id: string }> {
  const store = await requireStore(options);
  const id = wanted ?? readCurrent(store);
  if (id !== undefined) return { store, id };
  throw new CommandError(EXIT.usage, `${store}: expected a published snapshot, found none; ${adviseBuild(options)}`);
}

function adviseBuild({ config, store }: StoreOptions): string {
  return `run ${writeBuildCommand({ config, store })} first`;
}
