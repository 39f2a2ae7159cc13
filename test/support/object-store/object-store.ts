import { randomBytes } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import type { StoreCredentials } from '../aws-signature.ts';
import { createBucketName, type TestStore } from '../memory-s3.ts';
import { startCeph } from './ceph.ts';
import { unpackCeph } from './packages.ts';

/** A real S3 on this machine: the gateway of Ceph. */
export interface ObjectStore extends TestStore {
  /** Stops the gateway where it is: it accepts connections and answers nothing. */
  pause(): void;
  /** Lets it go on with what it was doing. */
  resume(): void;
  /** Another user, who may do nothing that the policy of a bucket does not allow. */
  createUser(name: string): Promise<StoreCredentials>;
}

/**
 * Starts an object store of its own for a test file, in a second and with 130 MB of memory. It holds 4 GB at most.
 *
 * @returns undefined where the packages of Ceph cannot be had, after it has said so on stderr
 */
export async function startObjectStore(): Promise<ObjectStore | undefined> {
  const root = await unpackCeph();
  if (root === undefined) return undefined;
  const credentials = { accessKeyId: 'AKCEPH', secretAccessKey: randomBytes(20).toString('hex') };
  const ceph = await startCeph(root, credentials);
  const endpoint = `http://127.0.0.1:${ceph.port}`;
  const client = new AwsClient({ ...credentials, service: 's3', region: 'us-east-1', retries: 0 });
  const put = async (path: string, body?: string): Promise<void> => {
    const response = await client.fetch(`${endpoint}/${path}`, {
      method: 'PUT',
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`);
  };
  return {
    ...credentials,
    endpoint,
    createBucket: async ({ ignoresConditions = false } = {}) => {
      const name = createBucketName();
      await put(name);
      // Ceph 16 ignores conditions in a bucket with versions.
      const versioning = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>';
      if (ignoresConditions) await put(`${name}?versioning`, versioning);
      return name;
    },
    createUser: async (name) => {
      const user = { accessKeyId: `AK${name}`, secretAccessKey: randomBytes(20).toString('hex') };
      await ceph.addUser(name, user);
      return user;
    },
    pause: () => ceph.signal('SIGSTOP'),
    resume: () => ceph.signal('SIGCONT'),
    stop: () => ceph.stop(),
  };
}
