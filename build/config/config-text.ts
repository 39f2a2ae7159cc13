import { stripComments } from 'jsonc-parser';
import { z } from 'zod';
import { findNearestWord } from '../../data/query/edit-distance.ts';
import { ConfigError } from '../source/errors.ts';
import { findJsonFault } from '../source/json.ts';
import { quote } from '../source/quote.ts';
import { describeFieldError, joinPath, toFieldError } from '../source/schema-errors.ts';

/**
 * Parses the JSON of a configuration, which may have line comments and block comments.
 *
 * @throws {ConfigError} with line and column when it is not JSON.
 */
export function parseConfigText(path: string, text: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(stripComments(json)) as unknown;
  } catch (cause) {
    const { line, column, sentence } = findJsonFault(json, true);
    throw new ConfigError([`${path}:${line}:${column}: ${sentence}`], { cause });
  }
}

/** The value of a configuration by its schema, or one sentence for each error, in the order of the file's keys. */
export function checkConfigValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { readonly value: z.infer<Schema> } | { readonly errors: readonly string[] } {
  /** The keys that are known where others are not. */
  const known = new Map<readonly string[], readonly string[]>();
  const parsed = schema.safeParse(value, {
    reportInput: true,
    error: (issue) => {
      if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject) {
        known.set(issue.keys, Object.keys(issue.inst.shape));
      }
      return undefined;
    },
  });
  if (parsed.success) return { value: parsed.data };
  const errors = parsed.error.issues.flatMap(narrowUnion).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [describeFieldError(toFieldError(issue))];
    return issue.keys.map((key) => describeUnknownKey([...issue.path, key], known.get(issue.keys) ?? []));
  });
  return { errors };
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

function describeUnknownKey(path: readonly PropertyKey[], known: readonly string[]): string {
  const nearest = findNearestWord(String(path.at(-1)), known);
  return nearest === undefined
    ? `${joinPath(path)}: unknown key; expected one of ${known.join(', ')}`
    : `${joinPath(path)}: unknown key; did you mean ${quote(nearest)}?`;
}
