import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEALS, PROGRAM_ROOT } from '../program.ts';

/** A function of the program that is made to fail, and the compiled file in which it stands. */
export interface Breakable {
  readonly file: string;
  readonly name: string;
}

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

export function createBreakableProgram(functions: readonly Breakable[]): BreakableProgram {
  const folder = mkdtempSync(join(tmpdir(), 'deals-fault-broken-'));
  const order = join(folder, 'order');
  const heal = (): void => writeFileSync(order, '');
  heal();
  cpSync(join(DEALS, '../..'), join(folder, 'dist/js'), { recursive: true });
  cpSync(join(PROGRAM_ROOT, 'server/page'), join(folder, 'server/page'), { recursive: true });
  cpSync(join(PROGRAM_ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(PROGRAM_ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, names] of group(functions)) {
    const path = join(folder, 'dist/js', file);
    writeFileSync(path, makeBreakable(readFileSync(path, 'utf8'), names, order));
  }
  return {
    folder,
    deals: join(folder, 'dist/js/cli/main.js'),
    fail: (name, failure) => writeFileSync(order, `${name} ${failure}`),
    heal,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function group(functions: readonly Breakable[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { file, name } of functions) names.set(file, [...(names.get(file) ?? []), name]);
  return names;
}

/** The text of a module in which each function looks at the order before it does its work. */
function makeBreakable(text: string, names: readonly string[], order: string): string {
  let broken = text;
  for (const name of names) {
    const declaration = new RegExp(`(export )?(async )?function(\\*?) (${name})\\(`);
    const found = declaration.exec(broken);
    if (found === null) throw new Error(`there is no function ${name} to break`);
    const [whole, exported = '', async = '', star = ''] = found;
    const wrapper = `${exported}function ${name}(...args) { return breakIfTold('${name}', () => ${name}Sound(...args)); }\n`;
    broken = broken.replace(whole, `${wrapper}${async}function${star} ${name}Sound(`);
  }
  return `${broken}
import { readFileSync as readOrder } from 'node:fs';
function breakIfTold(name, work) {
  const order = readOrder(${JSON.stringify(order)}, 'utf8');
  if (!order.startsWith(name + ' ')) return work();
  const error = new Error('the cause that stays inside');
  if (order.endsWith(' throws')) throw error;
  if (order.endsWith(' rejects')) return Promise.reject(error);
  const pieces = work();
  if (Symbol.asyncIterator in pieces) return (async function* () { throw error; })();
  return (function* () {
    let sent = 0;
    for (const piece of pieces) {
      yield piece;
      sent += piece.length;
      if (sent > 150_000) throw error;
    }
  })();
}
`;
}
