import { ConfigError } from '../config-error.ts';
import { quote } from '../source/quote.ts';
import { GATE_NAMES, GATES, isGateName, type GateName } from './gate.ts';

/** A refusal that the operator overrides: of one gate, or of one gate for one source. */
export interface Acceptance {
  readonly gate: GateName;
  readonly source?: string;
}

/** Whether what a gate finds out about a source, or about the catalogue, is accepted. */
export function isAccepted(gate: GateName, source: string | undefined, acceptances: readonly Acceptance[]): boolean {
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
    const [gate = '', source, ...rest] = word.split(':');
    if (!isGateName(gate) || rest.length > 0) {
      faults.push(
        `--accept: expected <gate> or <gate>:<source> with a gate of ${GATE_NAMES.join(', ')}, got ${quote(word)}`,
      );
    } else if (source === undefined) {
      acceptances.push({ gate });
    } else if (GATES[gate].scope === 'catalogue') {
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
