import { basename } from 'node:path';
import fastGlob from 'fast-glob';
import { CMS_ADAPTER_NAMES } from '../adapt/adapter-name.ts';
import { parseConfig, type BuildConfig } from '../config.ts';

/** The name of a source that stands in no configuration. */
export const FILE_SOURCE = 'file';

/**
 * The configuration of a build that reads one file by one adapter, with the defaults of everything else: an adapter that
 * must be told more about a feed is told so in a configuration.
 *
 * @throws {ConfigError} when the adapter needs settings
 */
export function createFileConfig(
  adapter: string,
  path: string,
  currency: BuildConfig['currency'] | undefined,
): BuildConfig {
  const source = { name: FILE_SOURCE, adapter, files: [fastGlob.escapePath(basename(path))] };
  const isCms = (CMS_ADAPTER_NAMES as readonly string[]).includes(adapter);
  // A configuration has a CMS; where a feed is asked for, it is not read.
  const unread = { name: 'unread', adapter: 'catalogue', files: ['unread'] };
  return parseConfig(path, {
    cms: [isCms ? source : unread],
    feeds: isCms ? [] : [source],
    ...(currency === undefined ? {} : { currency }),
  });
}
