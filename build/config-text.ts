import { findJsonFault } from './source/json-fault.ts';
import { ConfigError } from './config-error.ts';

/**
 * The JSON of a configuration.
 *
 * @throws {ConfigError} with line and column when it is not JSON.
 */
export function parseConfigText(path: string, text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return JSON.parse(json) as unknown;
  } catch (cause) {
    const fault = findJsonFault(json);
    if (fault === undefined) throw cause;
    throw new ConfigError([`${path}:${fault.line}:${fault.column}: expected ${fault.expected}, got ${fault.found}`], {
      cause,
    });
  }
}
