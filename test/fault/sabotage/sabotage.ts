import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
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

/** Whether only a program under load shows it: then nothing may run beside its test. */
export function isUnderLoad({ testFile }: Sabotage): boolean {
  return testFile.startsWith('test/fault/load/');
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

/** A command that was run to its end. */
interface Ended {
  /** Zero for success; absent when it was killed. */
  readonly status: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Copies the program with its tests into a folder, which then is a project of its own that shares the packages. It is
 * compiled, so that after a patch only what that changes is compiled again.
 */
export async function copyProgram(folder: string): Promise<void> {
  const listed = await run(PROGRAM_ROOT, 'git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  // A file that was deleted and not yet committed is listed all the same.
  const isThere = (name: string): boolean => name !== '' && existsSync(join(PROGRAM_ROOT, name));
  for (const name of listed.stdout.split('\0').filter(isThere)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(PROGRAM_ROOT, name), join(folder, name), { force: true });
  }
  symlinkSync(join(PROGRAM_ROOT, 'node_modules'), join(folder, 'node_modules'));
  await compile(folder);
}

async function compile(folder: string): Promise<void> {
  const tsc = [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.json'];
  await run(folder, process.execPath, [...tsc, '--incremental', '--tsBuildInfoFile', 'dist/sabotage.tsbuildinfo']);
}

/** How the test of a sabotage ended in a copy of the program that it was done to. */
export interface SabotageOutcome {
  /** Whether a test ran and failed. */
  readonly isCaught: boolean;
  /** What was said, for when it was not caught. */
  readonly output: string;
}

/** Applies the patch to a copy of the program, compiles it, runs its test, and takes the patch back. */
export async function trySabotage(folder: string, sabotage: Sabotage): Promise<SabotageOutcome> {
  await run(folder, 'git', ['apply', '-p1', sabotage.file]);
  try {
    await compile(folder);
    return await runTest(folder, sabotage);
  } finally {
    await run(folder, 'git', ['apply', '-R', '-p1', sabotage.file]);
  }
}

/** What vitest makes of each file is kept in the copy, for the next sabotage of it. */
const KEEP_TRANSFORMED = ['--experimental.fsModuleCache', '--experimental.fsModuleCachePath=dist/sabotage-transformed'];

async function runTest(folder: string, { testFile, testName, tier }: Sabotage): Promise<SabotageOutcome> {
  const report = join(folder, 'sabotage-report.json');
  rmSync(report, { force: true });
  const name = testName.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const vitest = ['run', '--config', 'test/vitest.config.ts', testFile, '-t', name, '--bail=1', ...KEEP_TRANSFORMED];
  const { stdout, stderr } = await runToEnd(
    folder,
    process.execPath,
    [join('node_modules', 'vitest', 'vitest.mjs'), ...vitest, '--reporter=json', `--outputFile=${report}`],
    { ...process.env, FAULT_TIER: tier, FAULT_SABOTAGE: 'yes' },
  );
  const { numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly numFailedTests: number;
  };
  return { isCaught: numFailedTests > 0, output: `${stdout}\n${stderr}`.slice(-4_000) };
}

async function run(cwd: string, command: string, args: readonly string[]): Promise<Ended> {
  const ended = await runToEnd(cwd, command, args, process.env);
  if (ended.status === 0) return ended;
  throw new Error(`${basename(command)} ${args.join(' ')}: ${ended.stdout}${ended.stderr}`);
}

/** Runs a command to its end, and ends what it left running: a test that fails may not come to stopping its servers. */
async function runToEnd(cwd: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  // A group of its own, to be ended as a whole.
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  const closed = once(child, 'close');
  await once(child, 'exit');
  endGroup(child.pid as number);
  await closed;
  return { status: child.exitCode ?? undefined, ...said };
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}
