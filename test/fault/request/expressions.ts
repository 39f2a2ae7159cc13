import glob from 'fast-glob';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { createPublishedSchema, PUBLISHED_FILES } from '../../../data/schema/published-schema.ts';
import { RESPONSE_SCHEMAS } from '../../../data/schema/response.ts';
import { PROGRAM_ROOT } from '../program.ts';

/** A regular expression of the program and where it stands. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
  readonly where: string;
}

const SOURCES = '{cli,server,data,build}/**/*.ts';

/** Every regular expression of the program, each once: its literals, and the patterns of its schemas. */
export function collectExpressions(): readonly Expression[] {
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
  addPatterns(RESPONSE_SCHEMAS, 'the schemas of answers', add);
  return [...found.values()];
}

/** The files that put a regular expression together, which the literals do not show. */
export function listBuilders(): readonly string[] {
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
