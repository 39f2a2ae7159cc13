import { findJsonFault } from './source/json-fault.ts';
import { ConfigError } from './config-error.ts';

/**
 * The JSON of a configuration, which may hold comments: `//` to the end of the line, and what stands between slash-star
 * and star-slash.
 *
 * @throws {ConfigError} with line and column when it is not JSON.
 */
export function parseConfigText(path: string, text: string): unknown {
  const json = blankComments(text.startsWith('\uFEFF') ? text.slice(1) : text);
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

/** The same text with spaces for comments, so that everything else keeps its line and its column. */
function blankComments(text: string): string {
  const parts: string[] = [];
  let partStart = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"') {
      i = endOfText(text, i);
      continue;
    }
    const end = endOfComment(text, i);
    if (end === i) continue;
    parts.push(text.slice(partStart, i), text.slice(i, end).replaceAll(/[^\n]/g, ' '));
    partStart = end;
    i = end - 1;
  }
  parts.push(text.slice(partStart));
  return parts.join('');
}

/** The place of the double quote that ends a text: before it `//` is no comment. */
function endOfText(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '"' || text[i] === '\n') return i;
    if (text[i] === '\\') i++;
  }
  return text.length;
}

/** Where the comment ends that begins at `start`; `start` where none does. One that has no end is a fault of the JSON. */
function endOfComment(text: string, start: number): number {
  if (text.startsWith('//', start)) {
    const end = text.indexOf('\n', start);
    return end === -1 ? text.length : end;
  }
  if (!text.startsWith('/*', start)) return start;
  const end = text.indexOf('*/', start + 2);
  return end === -1 ? start : end + 2;
}
