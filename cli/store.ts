import { existsSync } from 'node:fs';
import { writeBuildCommand } from '../build/report/build-command.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';
import { DEFAULT_CONFIG, DEFAULT_STORE } from './option.ts';

export interface StoreOptions {
  readonly store?: string;
  readonly config?: string;
}

/** The store that is meant: the flag or the environment, else the configuration, else the default. */
async function resolveStore({ store, config }: StoreOptions): Promise<string> {
  if (store !== undefined) return store;
  const file = config ?? (existsSync(DEFAULT_CONFIG) ? DEFAULT_CONFIG : undefined);
  if (file === undefined) return DEFAULT_STORE;
  // Loaded when it is needed: a server that is told its store has nothing to do with configurations.
  const { readConfig } = await import('../build/config.ts');
  return (await readConfig(file)).store;
}

/**
 * The store that is meant, for commands that have nothing to do where there is none, or where nothing is published in it.
 * @throws {SnapshotError} when the store does not say what is current
 */
export async function requireStore(options: StoreOptions, needs: 'store' | 'current' = 'store'): Promise<string> {
  const store = await resolveStore(options);
  // The same store is meant by the build that is to make it.
  const remedy = `run ${writeBuildCommand({ config: options.config, store: options.store })} first`;
  if (existsSync(store)) {
    if (needs === 'store') return store;
    // A server needs no more than the store, and none of this.
    const { readCurrent } = await import('../build/publish/stored-snapshot.ts');
    if (readCurrent(store) !== undefined) return store;
    throw new CommandError(EXIT.usage, `${store}: expected a published snapshot, found none; ${remedy}`);
  }
  throw new CommandError(
    EXIT.usage,
    `${store}: expected a store, found nothing; ${remedy}, or name another with --store`,
  );
}
