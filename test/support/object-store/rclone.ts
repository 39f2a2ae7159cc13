import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestStore } from '../memory-s3.ts';

/** Runs rclone, a client of S3 that shares no code with us: `['copy', 'store:bucket/prefix', folder]`. @throws with what it said */
export async function runRclone(store: TestStore, args: readonly string[]): Promise<void> {
  // From the environment, so that no file holds the secret.
  const env = {
    PATH: process.env['PATH'] ?? '',
    RCLONE_CONFIG: '/dev/null',
    RCLONE_CONFIG_STORE_TYPE: 's3',
    RCLONE_CONFIG_STORE_PROVIDER: 'Ceph',
    RCLONE_CONFIG_STORE_ENDPOINT: store.endpoint,
    RCLONE_CONFIG_STORE_REGION: 'us-east-1',
    RCLONE_CONFIG_STORE_ACCESS_KEY_ID: store.accessKeyId,
    RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY: store.secretAccessKey,
  };
  await promisify(execFile)('rclone', ['--retries', '1', ...args], { env });
}
