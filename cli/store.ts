import { existsSync } from 'node:fs';
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

/** The store that is meant, for commands that have nothing to do where there is none. */
export async function requireStore(options: StoreOptions): Promise<string> {
  const store = await resolveStore(options);
  if (existsSync(store)) return store;
  throw new CommandError(
    EXIT.usage,
    `${store}: expected a store, found nothing; run deals build first, or name another with --store`,
  );
}
