import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEALS } from '../fault/program.ts';
import { startMemoryS3, type MemoryS3 } from '../support/memory-s3.ts';
import { listCommands } from '../support/list-commands.ts';
import { endOf, requireSuccess, untilAddress } from '../unit/cli/run-deals.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

/** The examples of every help text, in the order in which a reader would try them. */
const EXAMPLES = await collectExamples();

/** These answer until they are ended. */
const LASTING = /^deals (?:serve|demo|dev)\b/;

let cwd = '';
let s3: MemoryS3;
let bucket = '';

/** A folder as after unpacking the project, with `deals` on the PATH. */
beforeAll(async () => {
  s3 = await startMemoryS3();
  bucket = await s3.createBucket();
  cwd = mkdtempSync(join(tmpdir(), 'deals-examples-'));
  mkdirSync(join(cwd, 'bin'));
  writeFileSync(join(cwd, 'bin/deals'), `#!/bin/sh\nexec '${process.execPath}' '${DEALS}' "$@"\n`);
  chmodSync(join(cwd, 'bin/deals'), 0o755);
  // More than one snapshot: there must be something to go back to.
  for (const dealCount of [5, 4, 3]) {
    writeSmallSource(join(cwd, 'data/sample'), dealCount);
    requireSuccess(await endOf(startShell('deals build --config data/sample/catalogue.json')));
  }
});

afterAll(async () => {
  await s3.stop();
  rmSync(cwd, { recursive: true });
});

describe('the examples of the help texts work when they are pasted', () => {
  it.each(EXAMPLES)('%s', async (line) => {
    // The demo builds the sample of the project, which is large: here it gets the small one. The bucket has a name of its own.
    const pasted = line
      .replace(/^deals demo/, '$& --config data/sample/catalogue.json')
      .replace('s3://catalogue/', `s3://${bucket}/`);
    const child = startShell(pasted);
    if (LASTING.test(line)) void untilAddress(child).then(() => child.kill('SIGTERM'));
    const { exitCode, stderr } = await endOf(child);
    expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});

function startShell(line: string): ChildProcessWithoutNullStreams {
  const path = `${join(cwd, 'bin')}:${process.env['PATH'] ?? ''}`;
  // `exec`, so that a signal reaches the command and not the shell.
  return spawn('/bin/sh', ['-c', `exec ${line}`], {
    cwd,
    env: {
      PATH: path,
      DEALS_PORT: '0',
      AWS_ENDPOINT_URL_S3: s3.endpoint,
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    },
  });
}

async function collectExamples(): Promise<readonly string[]> {
  const helpTexts: string[] = [];
  for (const command of await listCommands()) {
    command.configureOutput({ writeOut: (part) => helpTexts.push(part) });
    command.outputHelp();
  }
  const lines = helpTexts.flatMap((text) => text.split('\n').filter((line) => line.startsWith('  $ ')));
  return [...new Set(lines.map((line) => line.slice('  $ '.length)))].sort((a, b) => stepOf(a) - stepOf(b));
}

/** Keys are made before they are listed, what is pulled is pushed first, and revoked at the end; nothing is looked at after a step back. */
function stepOf(line: string): number {
  const steps = [/^deals build\b/, /^deals keys create/, /^deals push\b/, /^deals (?!rollback|keys revoke)/, /./];
  return steps.findIndex((step) => step.test(line));
}
