import { ConfigError } from '../source/errors.ts';
import { quote } from '../source/quote.ts';
import { GATE_NAMES, GATES, OTHER_ACCEPTABLE, type AcceptableName, type GateName } from './gates.ts';

const ACCEPTABLE: readonly string[] = [...GATE_NAMES, ...OTHER_ACCEPTABLE];

/** Whether the operator lets a gate pass once, for a source or for the catalogue. */
export type IsAccepted = (gate: AcceptableName, source?: string) => boolean;

/**
 * Reads the values of `--accept <gate>[:<source>]`.
 * @throws {ConfigError} naming every word that is no gate or no source
 */
export function parseAcceptances(words: readonly string[], sourceNames: readonly string[]): IsAccepted {
  const faults = words.flatMap((word) => {
    const expected = findExpected(word, sourceNames);
    return expected === undefined ? [] : [`--accept: expected ${expected}, got ${quote(word)}`];
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return (gate, source) => words.includes(gate) || (source !== undefined && words.includes(`${gate}:${source}`));
}

/** What a word should be, when it is something else. */
function findExpected(word: string, sourceNames: readonly string[]): string | undefined {
  const [gate = '', source, ...rest] = word.split(':');
  if (!ACCEPTABLE.includes(gate) || rest.length > 0) {
    return `<gate> or <gate>:<source> with a gate of ${ACCEPTABLE.join(', ')}`;
  }
  if (source === undefined) return undefined;
  if (gate in GATES && GATES[gate as GateName].of === 'catalogue') return `${gate} without a source`;
  return sourceNames.includes(source) ? undefined : `a source of ${sourceNames.join(', ')}`;
}
