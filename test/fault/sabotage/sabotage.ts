import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PROGRAM_ROOT } from '../program.ts';
import { TIERS, type Tier } from '../tier.ts';

/** A patch that breaks one promise, and the test that must notice. */
export interface Sabotage {
  readonly name: string;
  readonly file: string;
  /** What it breaks, in a sentence. */
  readonly breaks: string;
  /** The test file, relative to the root, and a part of the name of the test in it. */
  readonly testFile: string;
  readonly testName: string;
  readonly tier: Tier;
}

const FOLDER = import.meta.dirname;

/** Every patch of the folder, in order of name. @throws on one that does not say what it breaks and who notices */
export function listSabotages(): readonly Sabotage[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.patch'))
    .sort()
    .map((name) => parseSabotage(join(FOLDER, name)));
}

function parseSabotage(file: string): Sabotage {
  const text = readFileSync(file, 'utf8');
  const breaks = /^# (?!caught by|tier)(.+)$/m.exec(text)?.[1];
  const [, testFile, testName] = /^# caught by: (\S+) > (.+)$/m.exec(text) ?? [];
  const tierText = /^# tier: (\w+)$/m.exec(text)?.[1] ?? 'second';
  const tier = TIERS.find((candidate) => candidate === tierText);
  if (breaks === undefined || testFile === undefined || testName === undefined || tier === undefined) {
    throw new Error(`${file}: expected lines "# <what it breaks>" and "# caught by: <test file> > <test name>"`);
  }
  return { name: basename(file, '.patch'), file, breaks, testFile, testName, tier };
}

/** Copies the program with its tests into a folder, which then is a project of its own that shares the packages. */
export function copyProgram(folder: string): void {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: PROGRAM_ROOT,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  if (listed.status !== 0) throw new Error(`git ls-files: ${listed.stderr}`);
  // A file that was deleted and not yet committed is listed all the same.
  const isThere = (name: string): boolean => name !== '' && existsSync(join(PROGRAM_ROOT, name));
  for (const name of listed.stdout.split('\0').filter(isThere)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(PROGRAM_ROOT, name), join(folder, name), { force: true });
  }
  symlinkSync(join(PROGRAM_ROOT, 'node_modules'), join(folder, 'node_modules'));
}

/** How the test of a sabotage ended in a copy of the program that it was done to. */
export interface SabotageOutcome {
  /** Whether a test ran and failed. */
  readonly isCaught: boolean;
  /** What was said, for when it was not caught. */
  readonly output: string;
}

/** Applies the patch to a copy of the program, compiles it, runs its test, and takes the patch back. */
export function trySabotage(folder: string, sabotage: Sabotage): SabotageOutcome {
  run(folder, 'git', ['apply', '-p1', sabotage.file]);
  try {
    run(folder, process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.json']);
    return runTest(folder, sabotage);
  } finally {
    run(folder, 'git', ['apply', '-R', '-p1', sabotage.file]);
  }
}

function runTest(folder: string, { testFile, testName, tier }: Sabotage): SabotageOutcome {
  const report = join(folder, 'sabotage-report.json');
  const name = testName.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const vitest = ['run', '--config', 'test/vitest.config.ts', testFile, '-t', name];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join('node_modules', 'vitest', 'vitest.mjs'), ...vitest, '--reporter=json', `--outputFile=${report}`],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, FAULT_TIER: tier, FAULT_SABOTAGE: 'yes' },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const { numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly numFailedTests: number;
  };
  return { isCaught: numFailedTests > 0, output: `${stdout}\n${stderr}`.slice(-4_000) };
}

function run(cwd: string, command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${basename(command)} ${args.join(' ')}: ${stdout}${stderr}`);
}
