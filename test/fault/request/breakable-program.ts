import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import glob from 'fast-glob';
import { DEALS, PROGRAM_ROOT } from '../program.ts';

/** How a function fails: at once, by a promise, or, of one that gives a body, when most of that has been sent. */
export type Failure = 'throws' | 'rejects' | 'throws late';

/** A copy of the compiled program in which functions fail when they are told to, while it runs. */
export interface BreakableProgram {
  /** The installation: compiled files, pages, packages. */
  readonly folder: string;
  readonly deals: string;
  /** Has a function fail from now on. */
  fail(name: string, failure: Failure): void;
  heal(): void;
  remove(): void;
}

/** @param names - of the functions that can be made to fail; each stands in one compiled file */
export function createBreakableProgram(names: readonly string[]): BreakableProgram {
  const folder = mkdtempSync(join(tmpdir(), 'deals-fault-broken-'));
  const order = join(folder, 'order');
  writeFileSync(order, '');
  cpSync(join(DEALS, '../..'), join(folder, 'dist/js'), { recursive: true });
  cpSync(join(PROGRAM_ROOT, 'server/page'), join(folder, 'server/page'), { recursive: true });
  cpSync(join(PROGRAM_ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(PROGRAM_ROOT, 'node_modules'), join(folder, 'node_modules'));
  const compiled = glob.sync('dist/js/{server,data}/**/*.js', { cwd: folder, absolute: true });
  const texts = new Map(compiled.map((path) => [path, readFileSync(path, 'utf8')]));
  for (const name of new Set(names)) {
    const found = [...texts].filter(([, text]) => declarationOf(name).test(text));
    if (found.length !== 1) throw new Error(`function ${name}: expected in one file, found in ${found.length}`);
    const [[path, text]] = found as [[string, string]];
    texts.set(path, makeBreakable(text, name));
  }
  for (const [path, text] of texts)
    if (text.includes('breakIfTold('))
      writeFileSync(path, text + BREAK_IF_TOLD.replace('ORDER', JSON.stringify(order)));
  return {
    folder,
    deals: join(folder, 'dist/js/cli/main.js'),
    fail: (name, failure) => writeFileSync(order, `${name} ${failure}`),
    heal: () => writeFileSync(order, ''),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

const declarationOf = (name: string): RegExp => new RegExp(`^(export )?(async )?function(\\*?) (${name})\\(`, 'm');

/** The text of a module in which a function looks at the order before it does its work. */
function makeBreakable(text: string, name: string): string {
  const [whole = '', exported = '', async = '', star = ''] = declarationOf(name).exec(text) ?? [];
  const wrapper = `${exported}function ${name}(...args) { return breakIfTold('${name}', () => ${name}Sound(...args)); }\n`;
  return text.replace(whole, `${wrapper}${async}function${star} ${name}Sound(`);
}

const BREAK_IF_TOLD = `
import { readFileSync as readOrder } from 'node:fs';
function breakIfTold(name, work) {
  const order = readOrder(ORDER, 'utf8');
  if (!order.startsWith(name + ' ')) return work();
  const error = new Error('the cause that stays inside');
  if (order.endsWith(' throws')) throw error;
  if (order.endsWith(' rejects')) return Promise.reject(error);
  return breakLate(work(), error);
}
function* breakLate(pieces, error) {
  let sent = 0;
  for (const piece of pieces) {
    yield piece;
    sent += piece.length;
    if (sent > 150_000) throw error;
  }
}
`;
