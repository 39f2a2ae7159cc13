import type { z } from 'zod';
import { findNearestWord } from '../data/query/nearest-word.ts';
import { quote } from './source/quote.ts';
import { describeSchemaFault, describeSchemaIssue, joinPath } from './source/schema-fault.ts';
import { knownKeysAt } from './source/schema-keys.ts';

/** One sentence for every fault that `schema` finds in a configuration, in the order of the file's keys. */
export function describeConfigIssues(issues: readonly z.core.$ZodIssue[], schema: z.core.$ZodType): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const known = knownKeysAt(schema, issue.path) ?? [];
      return issue.keys.map((key) => describeUnknownKey(joinPath([...issue.path, key]), key, known));
    }
    return [describeSchemaFault(describeSchemaIssue(issue))];
  });
}

function describeUnknownKey(path: string, key: string, known: readonly string[]): string {
  const nearest = findNearestWord(key, known);
  return nearest === undefined
    ? `${path}: unknown key; expected one of ${known.join(', ')}`
    : `${path}: unknown key; did you mean ${quote(nearest)}?`;
}
