import { existsSync } from 'node:fs';
import { readConfig } from '../build/config.ts';
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
  if (config !== undefined) return (await readConfig(config)).store;
  if (existsSync(DEFAULT_CONFIG)) return (await readConfig(DEFAULT_CONFIG)).store;
  return DEFAULT_STORE;
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
