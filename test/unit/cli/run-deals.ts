import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { DealsRun } from '../../harness.ts';

export { requireSuccess, type DealsRun } from '../../harness.ts';

/** What a started command wrote, and with what status it ended. */
export function endOf(child: ChildProcessWithoutNullStreams): Promise<DealsRun> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

/** What a server wrote to stdout when it told its address. */
export function untilAddress(child: ChildProcessWithoutNullStreams): Promise<string> {
  let stdout = '';
  return new Promise((resolve) => {
    child.stdout.on('data', (text) => {
      stdout += String(text);
      if (/http:.*\n$/s.test(stdout)) resolve(stdout);
    });
  });
}
