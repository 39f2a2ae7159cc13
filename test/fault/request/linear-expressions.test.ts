import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import glob from 'fast-glob';
import { parseSync, Visitor } from 'oxc-parser';
import { checkSync } from 'recheck';
import { describe, expect, it, vi } from 'vitest';
import { BRAND_WITH_MODEL } from '../../../build/match/name-words.ts';
import { ENDPOINTS } from '../../../data/query/endpoint.ts';
import { FILTER_KINDS } from '../../../data/query/filter.ts';
import { createPublishedSchema, PUBLISHED_FILES } from '../../../data/schema/published-schema.ts';
import { RESPONSE_SCHEMAS } from '../../oracle/check-answer.ts';
import { PROGRAM_ROOT } from '../program.ts';
import { byTier, TIER } from '../tier.ts';

/** A regular expression of the program and where it stands. */
interface Expression {
  readonly source: string;
  readonly flags: string;
  readonly where: string;
}

const FILES = glob.sync('{cli,server,data,build}/**/*.ts', { cwd: PROGRAM_ROOT }).sort();
const textOf = (file: string): string => readFileSync(join(PROGRAM_ROOT, file), 'utf8');

/** Every regular expression of the program, each once: its literals, and the patterns of its schemas and filters. */
function collectExpressions(): readonly Expression[] {
  const literals: Expression[] = [];
  for (const file of FILES) {
    const { program } = parseSync(file, textOf(file));
    new Visitor({
      Literal: (literal) => {
        if (!('regex' in literal)) return;
        literals.push({ source: literal.regex.pattern, flags: literal.regex.flags, where: file });
      },
    }).visit(program);
  }
  const all: readonly Expression[] = [
    ...literals,
    ...PUBLISHED_FILES.flatMap((file) => patternsOf(createPublishedSchema(file), `the schema of ${file}`)),
    ...patternsOf(RESPONSE_SCHEMAS, 'the schemas of responses'),
    { source: BRAND_WITH_MODEL.source, flags: BRAND_WITH_MODEL.flags, where: 'the makers of names' },
    ...Object.entries(FILTER_KINDS).map(([kind, { pattern }]) => ({
      source: `^(?:${pattern})$`,
      flags: '',
      where: `the filters of ${kind}`,
    })),
    ...ENDPOINTS.map(({ name, path }) => ({
      source: `^${path.replace('<id>', '([^/]+)')}?$`,
      flags: '',
      where: `the path of ${name}`,
    })),
  ];
  return [...new Map(all.map((expression) => [`/${expression.source}/${expression.flags}`, expression])).values()];
}

function patternsOf(schema: unknown, where: string): readonly Expression[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) =>
    name === 'pattern' && typeof value === 'string' ? [{ source: value, flags: '', where }] : patternsOf(value, where),
  );
}

// The checker in JavaScript: the others are programs that its package would have to bring.
vi.hoisted(() => {
  process.env['RECHECK_SYNC_BACKEND'] = 'pure';
});

/** In the first tier what takes long is left to the second. */
const CHECK_MS = byTier({ first: 40, second: 60_000, long: 600_000 });

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
      const expressions = collectExpressions();
      expect(expressions.length).toBeGreaterThan(150);
      expect(expressions.map(faultOf).filter((fault) => fault !== undefined)).toEqual([]);
    },
    byTier({ first: 60_000, second: 300_000, long: 3_600_000 }),
  );

  it('are literals, but for those of the schemas, of the tables of numbers, filters, paths and makers, and the name of an element', () => {
    expect(FILES.filter((file) => /\bRegExp\(/.test(textOf(file)))).toEqual([
      'build/feed/text-pattern.ts',
      'build/match/maker-names.ts',
      'build/match/name-words.ts',
      'build/remote/http-store.ts',
      'build/source/clean-text.ts',
      'data/schema/deal.ts',
      'data/snapshot/price-history.ts',
      'server/catalogue.ts',
      'server/query/filter.ts',
    ]);
  });
});
