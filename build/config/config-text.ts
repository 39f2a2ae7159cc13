import type { z } from 'zod';
import { findNearestWord } from '../../data/query/edit-distance.ts';
import { ConfigError } from '../source/errors.ts';
import { findJsonSyntaxError } from '../source/json.ts';
import { quote } from '../source/quote.ts';
import { describeFieldError, joinPath, knownKeysAt, toFieldError } from '../source/schema-errors.ts';

/**
 * Parses the JSON of a configuration, which may have line comments and block comments.
 *
 * @throws {ConfigError} with line and column when it is not JSON.
 */
export function parseConfigText(path: string, text: string): unknown {
  const json = blankComments(text.startsWith('\uFEFF') ? text.slice(1) : text);
  try {
    return JSON.parse(json) as unknown;
  } catch (cause) {
    const error = findJsonSyntaxError(json);
    if (error === undefined) throw cause;
    throw new ConfigError([`${path}:${error.line}:${error.column}: expected ${error.expected}, got ${error.found}`], {
      cause,
    });
  }
}

/** Replaces comments by spaces, so that everything else keeps its line and column. */
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

/** The offset of the closing quote of a string, in which `//` is not a comment. */
function endOfText(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '"' || text[i] === '\n') return i;
    if (text[i] === '\\') i++;
  }
  return text.length;
}

/** The end of the comment at `start`, or `start` when there is none. An unclosed comment is a syntax error of the JSON. */
function endOfComment(text: string, start: number): number {
  if (text.startsWith('//', start)) {
    const end = text.indexOf('\n', start);
    return end === -1 ? text.length : end;
  }
  if (!text.startsWith('/*', start)) return start;
  const end = text.indexOf('*/', start + 2);
  return end === -1 ? start : end + 2;
}

/** One sentence for each error that `schema` finds in `value`, in the order of the file's keys. */
export function describeConfigIssues(
  issues: readonly z.core.$ZodIssue[],
  schema: z.core.$ZodType,
  value: unknown,
): string[] {
  return issues.flatMap(narrowUnion).flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const known = knownKeysAt(schema, value, issue.path) ?? [];
      return issue.keys.map((key) => describeUnknownKey(joinPath([...issue.path, key]), key, known));
    }
    return [describeFieldError(toFieldError(issue))];
  });
}

/** If the value has the type of one alternative only, the errors are those of this alternative. */
function narrowUnion(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const fitting = issue.errors.filter((issues) => !issues.some(isOfOtherType));
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) return [issue];
  return only.flatMap((inner) => narrowUnion({ ...inner, path: [...issue.path, ...inner.path] }));
}

function isOfOtherType({ code, path }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && path.length === 0;
}

function describeUnknownKey(path: string, key: string, known: readonly string[]): string {
  const nearest = findNearestWord(key, known);
  return nearest === undefined
    ? `${path}: unknown key; expected one of ${known.join(', ')}`
    : `${path}: unknown key; did you mean ${quote(nearest)}?`;
}
