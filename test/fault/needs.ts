import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What a test needs of the machine, by the name under which it is skipped. */
export interface Need {
  readonly name: string;
  readonly isThere: boolean;
}

/** A program on the PATH. Programs that only root runs lie in `sbin`, which is not on every PATH. */
export function tool(name: string): Need {
  return { name, isThere: findTool(name) !== undefined };
}

/** The path of a program, if it is there. */
export function findTool(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Whether something is missing; says so once on stderr, so that a test that was skipped is never overlooked. */
export function isMissing(what: string, ...needs: readonly Need[]): boolean {
  const missing = needs.filter(({ isThere }) => !isThere).map(({ name }) => name);
  if (missing.length === 0) return false;
  process.stderr.write(`skipped: ${what} needs ${missing.join(' and ')}\n`);
  return true;
}
