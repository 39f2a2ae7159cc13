import { ConfigError } from '../source/errors.ts';
import { quote } from '../source/quote.ts';
import { GATE_NAMES, GATES, OTHER_ACCEPTABLE, type AcceptableName, type GateName } from './gates.ts';

const ACCEPTABLE: readonly AcceptableName[] = [...GATE_NAMES, ...OTHER_ACCEPTABLE];

/** What the operator lets pass once: a gate, or a gate for one source. */
export interface Acceptance {
  readonly gate: AcceptableName;
  readonly source?: string;
}

/** Whether the operator lets a gate pass for a source, or for the catalogue. */
export function isAccepted(
  gate: AcceptableName,
  source: string | undefined,
  acceptances: readonly Acceptance[],
): boolean {
  return acceptances.some(
    (acceptance) => acceptance.gate === gate && (acceptance.source === undefined || acceptance.source === source),
  );
}

/**
 * Reads the values of `--accept <gate>[:<source>]`.
 * @throws {ConfigError} naming every word that is no gate or no source
 */
export function parseAcceptances(words: readonly string[], sourceNames: readonly string[]): readonly Acceptance[] {
  const faults: string[] = [];
  const acceptances: Acceptance[] = [];
  for (const word of words) {
    const [name = '', source, ...rest] = word.split(':');
    const gate = ACCEPTABLE.find((acceptable) => acceptable === name);
    if (gate === undefined || rest.length > 0) {
      faults.push(
        `--accept: expected <gate> or <gate>:<source> with a gate of ${ACCEPTABLE.join(', ')}, got ${quote(word)}`,
      );
    } else if (source === undefined) {
      acceptances.push({ gate });
    } else if (gate in GATES && GATES[gate as GateName].of === 'catalogue') {
      faults.push(`--accept: expected ${gate} without a source, got ${quote(word)}`);
    } else if (sourceNames.includes(source)) {
      acceptances.push({ gate, source });
    } else {
      faults.push(`--accept: expected a source of ${sourceNames.join(', ')}, got ${quote(word)}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return acceptances;
}
