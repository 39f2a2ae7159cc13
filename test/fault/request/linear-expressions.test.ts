import { checkSync } from 'recheck';
import { describe, expect, it, vi } from 'vitest';
import { byTier, TIER } from '../tier.ts';
import glob from 'fast-glob';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { BRAND_WITH_MODEL } from '../../../build/match/model-words.ts';
import { ENDPOINTS } from '../../../data/query/endpoint.ts';
import { FILTER_KINDS } from '../../../data/query/filter.ts';
import { createPublishedSchema, PUBLISHED_FILES } from '../../../data/schema/published-schema.ts';
import { RESPONSE_SCHEMAS } from '../../oracle/check-answer.ts';
import { PROGRAM_ROOT } from '../program.ts';

/** A regular expression of the program and where it stands. */
interface Expression {
  readonly source: string;
  readonly flags: string;
  readonly where: string;
}

const SOURCES = '{cli,server,data,build}/**/*.ts';

/** Every regular expression of the program, each once: its literals, and the patterns of its schemas and filters. */
function collectExpressions(): readonly Expression[] {
  const found = new Map<string, Expression>();
  const add = (expression: Expression): void => {
    const key = `/${expression.source}/${expression.flags}`;
    if (!found.has(key)) found.set(key, expression);
  };
  for (const file of glob.sync(SOURCES, { cwd: PROGRAM_ROOT }).sort()) {
    const { program } = parseSync(file, readFileSync(join(PROGRAM_ROOT, file), 'utf8'));
    new Visitor({
      Literal: (literal) => {
        if (!('regex' in literal)) return;
        add({ source: literal.regex.pattern, flags: literal.regex.flags, where: file });
      },
    }).visit(program);
  }
  for (const file of PUBLISHED_FILES) addPatterns(createPublishedSchema(file), `the schema of ${file}`, add);
  addPatterns(RESPONSE_SCHEMAS, 'the schemas of responses', add);
  add({ source: BRAND_WITH_MODEL.source, flags: BRAND_WITH_MODEL.flags, where: 'the makers of names' });
  for (const [kind, { pattern }] of Object.entries(FILTER_KINDS)) {
    add({ source: `^(?:${pattern})$`, flags: '', where: `the filters of ${kind}` });
  }
  for (const { name, path } of ENDPOINTS) {
    add({ source: `^${path.replace('<id>', '([^/]+)')}?$`, flags: '', where: `the path of ${name}` });
  }
  return [...found.values()];
}

/** The files that put a regular expression together, which the literals do not show. */
function listBuilders(): readonly string[] {
  return glob
    .sync(SOURCES, { cwd: PROGRAM_ROOT })
    .filter((file) => /\bRegExp\(/.test(readFileSync(join(PROGRAM_ROOT, file), 'utf8')))
    .sort();
}

function addPatterns(schema: unknown, where: string, add: (expression: Expression) => void): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'pattern' && typeof value === 'string') add({ source: value, flags: '', where });
    else addPatterns(value, where, add);
  }
}

// The checker in JavaScript: the others are programs that its package would have to bring.
vi.hoisted(() => {
  process.env['RECHECK_SYNC_BACKEND'] = 'pure';
});

/** In the first tier what takes long is left to the second. */
const CHECK_MS = byTier({ first: 40, second: 60_000, long: 600_000 });

const expressions = collectExpressions();

/** What is wrong with an expression, or undefined. */
function faultOf({ source, flags, where }: Expression): string | undefined {
  const first = checkSync(source, flags, { timeout: CHECK_MS });
  // What random strings find of an expression that is linear, others do not find again.
  const isGuess = first.status === 'vulnerable' && first.complexity.isFuzz;
  const found = isGuess ? checkSync(source, flags, { timeout: CHECK_MS, randomSeed: 1 }) : first;
  if (found.status === 'safe' || (TIER === 'first' && found.status === 'unknown')) return undefined;
  const what = found.status === 'vulnerable' ? `${found.complexity.summary}, ${found.attack.pattern}` : 'not known';
  return `${where}: /${source}/${flags} ${what}`;
}

describe('the regular expressions of the program', () => {
  it(
    'are linear, each of them',
    () => {
      expect(expressions.length).toBeGreaterThan(150);
      expect(expressions.map(faultOf).filter((fault) => fault !== undefined)).toEqual([]);
    },
    byTier({ first: 60_000, second: 300_000, long: 3_600_000 }),
  );

  it('are literals, but for those of the schemas, of the tables of numbers, filters, paths and makers, and the name of an element', () => {
    expect(listBuilders()).toEqual([
      'build/feed/text-pattern.ts',
      'build/match/maker-names.ts',
      'build/match/model-words.ts',
      'build/source/plain-text.ts',
      'data/schema/response.ts',
      'data/snapshot/price-history.ts',
      'server/catalogue.ts',
      'server/query/parse-filter.ts',
    ]);
  });
});
