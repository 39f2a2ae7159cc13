import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestStore } from '../memory-s3.ts';

/** The remote of a store in the arguments of rclone: `store:<bucket>/<prefix>`. */
const REMOTE = 'store';

/** Runs rclone, a reader of S3 that shares no code with us: `['check', folder, 'store:bucket/prefix']`. */
export async function runRclone(
  store: TestStore,
  args: readonly string[],
): Promise<{ readonly status: number; readonly output: string }> {
  const settings = {
    type: 's3',
    provider: 'Ceph',
    endpoint: store.endpoint,
    region: 'us-east-1',
    access_key_id: store.accessKeyId,
    secret_access_key: store.secretAccessKey,
  };
  // rclone reads a remote from its environment, so that no file holds the secret.
  const remote = Object.entries(settings).map(([name, value]) => [
    `RCLONE_CONFIG_${REMOTE}_${name}`.toUpperCase(),
    value,
  ]);
  const env = { PATH: process.env['PATH'] ?? '', RCLONE_CONFIG: '/dev/null', ...Object.fromEntries(remote) };
  try {
    const { stderr } = await promisify(execFile)('rclone', ['--retries', '1', ...args], { env });
    return { status: 0, output: stderr };
  } catch (error) {
    const { code, stderr } = error as { readonly code: number; readonly stderr: string };
    return { status: code, output: stderr };
  }
}
