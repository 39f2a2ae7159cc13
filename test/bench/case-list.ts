import type { StoreName } from './bench-data.ts';
import type { SourcesName } from './prepare-data.ts';

/** A case: a file of `case/`, run in a process of its own, and what has to be there before it runs. */
export interface BenchCase {
  readonly name: string;
  readonly stores: readonly StoreName[];
  readonly sources?: readonly SourcesName[];
}

/** In the order in which they run; builds first, since they leave behind what others ask. */
export const CASES: readonly BenchCase[] = [
  { name: 'build', stores: [], sources: ['1m', 'awin'] },
  { name: 'http', stores: ['1m'] },
  { name: 'compression', stores: ['20k', '120k'] },
  { name: 'write-deals', stores: ['1m'] },
  { name: 'peers', stores: ['1m'] },
  { name: 'json-server', stores: ['120k'] },
  { name: 'list-filter', stores: ['1m', '5m'] },
  { name: 'export', stores: ['1m'] },
  { name: 'remote', stores: ['1m'] },
  { name: 'memory', stores: ['1m'] },
  { name: 'start', stores: ['1m', '5m'] },
  { name: 'swap', stores: ['1m'] },
  { name: 'large-answer', stores: ['large'] },
];
