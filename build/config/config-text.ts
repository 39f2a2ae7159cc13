import { createScanner, type ScanError, type SyntaxKind } from 'jsonc-parser';
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

// The enums of the library are types only.
const LINE_COMMENT: SyntaxKind = 12;
const BLOCK_COMMENT: SyntaxKind = 13;
const UNCLOSED_COMMENT: ScanError = 1;

/**
 * Replaces comments by spaces, so that everything else keeps its line and column. `stripComments` of the library moves
 * columns. An unclosed comment stays: it is a syntax error of the JSON.
 */
function blankComments(text: string): string {
  const scanner = createScanner(text);
  let json = '';
  while (scanner.getPosition() < text.length) {
    const kind = scanner.scan();
    const token = text.slice(scanner.getTokenOffset(), scanner.getPosition());
    const isComment = kind === LINE_COMMENT || kind === BLOCK_COMMENT;
    const isClosed = scanner.getTokenError() !== UNCLOSED_COMMENT;
    json += isComment && isClosed ? token.replaceAll(/[^\n]/g, ' ') : token;
  }
  return json;
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
