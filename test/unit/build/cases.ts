import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** A case with its name. */
export type NamedCase<Case> = readonly [string, Case];

/** The cases of a file, one as JSON on each line; without a name of its own, a case is named by its line. */
export function readCases(path: string): readonly NamedCase<object>[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const each = JSON.parse(line) as { readonly what?: string };
    return [each.what ?? line, each];
  });
}

/** Expects each value at its place; null is no value, and other keys may be there. */
export function expectPart(actual: unknown, expected: object): void {
  for (const [key, value] of Object.entries(expected) as [string, unknown][]) {
    const found = (actual as Readonly<Record<string, unknown>> | undefined)?.[key];
    if (value === null) expect([key, found]).toEqual([key, undefined]);
    else if (typeof value === 'object' && !Array.isArray(value)) expectPart(found, value);
    else expect([key, found]).toEqual([key, value]);
  }
}

/** Expects as many values as there are parts, each with its part. */
export function expectParts(actual: readonly unknown[], expected: readonly object[]): void {
  expect(actual).toHaveLength(expected.length);
  for (const [i, part] of expected.entries()) expectPart(actual[i], part);
}
