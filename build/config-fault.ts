import type { z } from 'zod';
import { findNearestWord } from '../data/query/nearest-word.ts';
import { quote } from './source/quote.ts';
import { describeSchemaFault, describeSchemaIssue, joinPath } from './source/schema-fault.ts';
import { knownKeysAt } from './source/schema-keys.ts';

/** One sentence for every fault that `schema` finds in `value`, a configuration, in the order of the file's keys. */
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
    return [describeSchemaFault(describeSchemaIssue(issue))];
  });
}

/** Where a value is of the right type for one alternative only, the faults are those that this alternative finds. */
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
