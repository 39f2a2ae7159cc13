import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../../cli/console/command.ts';
import { readDeployed } from '../../deploy/deploy-folder.ts';
import type { StoreCredentials } from '../../support/aws-signature.ts';
import { startObjectStore } from '../../support/object-store/object-store.ts';
import { readCurrentId, RemoteSite } from './remote-site.ts';

const ceph = await startObjectStore();

interface Policy {
  readonly Version: string;
  readonly Statement: readonly { readonly Sid: string }[];
}

describe.skipIf(ceph === undefined)('bucket-policy.json', () => {
  const store = ceph as NonNullable<typeof ceph>;
  let site: RemoteSite;
  let builder: StoreCredentials;
  let server: StoreCredentials;
  let published: string;

  /** What is in the environment of the commands. */
  const become = ({ accessKeyId, secretAccessKey }: StoreCredentials): void => {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey });
  };

  const send = async (user: StoreCredentials, method: string, key: string, body?: string): Promise<number> => {
    const client = new AwsClient({ ...user, service: 's3', region: 'us-east-1', retries: 0 });
    const { status } = await client.fetch(`${store.endpoint}/${site.bucket}/${key}`, {
      method,
      ...(body === undefined ? {} : { body }),
    });
    return status;
  };

  /** @param without - the statement that is left out */
  async function setPolicy(without?: string): Promise<void> {
    const text = readDeployed('bucket-policy.json')
      .replaceAll('arn:aws:iam::111122223333:user/', 'arn:aws:iam:::user/')
      .replaceAll('catalogue-example', site.bucket);
    const policy = JSON.parse(text) as Policy;
    const Statement = policy.Statement.filter(({ Sid }) => Sid !== without);
    expect(await send(store, 'PUT', '?policy', JSON.stringify({ ...policy, Statement }))).toBe(204);
  }

  beforeAll(async () => {
    builder = await store.createUser('deals-builder');
    server = await store.createUser('deals-server');
    site = await RemoteSite.create(store);
    await setPolicy();
    published = site.publish();
    become(builder);
  });
  afterAll(async () => {
    await site.remove();
    await store.stop();
  });

  it('lets the builder publish, and a server bring it', async () => {
    expect(await site.push()).toMatchObject({ exitCode: EXIT.ok });
    become(server);
    expect(await site.pull('first')).toMatchObject({ exitCode: EXIT.ok, stderr: '' });
    expect(readCurrentId(site.server('first'))).toBe(published);
  });

  it('lets a server write and delete nothing, and the builder nothing outside the prefix', async () => {
    site.publish();
    become(server);
    expect(await site.push()).toMatchObject({ exitCode: EXIT.failed, stderr: expect.stringContaining('403') });
    expect(await send(server, 'PUT', 'uk/head.json', '{"revision":9}')).toBe(403);
    expect(await send(server, 'DELETE', 'uk/head.json')).toBe(403);
    expect(await send(builder, 'PUT', 'us/head.json', '{"revision":9}')).toBe(403);
    become(server);
    expect(await site.pull('first')).toMatchObject({ stdout: `nothing new: ${published} is revision 1\n` });
  });

  it('shows strangers the pictures, under the paths that they have on a server, and nothing else', async () => {
    const keys = await site.objects.keys();
    const base = `${store.endpoint}/${site.bucket}/uk`;
    const pictures = keys.filter((key) => key.startsWith('images/'));
    expect(pictures).toHaveLength(3);
    for (const key of pictures) {
      const { status, headers } = await fetch(`${base}/${key}`);
      expect({ status, ...Object.fromEntries(headers) }).toMatchObject({
        status: 200,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'image/webp',
      });
    }
    const others = keys.filter((key) => !key.startsWith('images/'));
    const statuses = await Promise.all(['', ...others].map(async (key) => (await fetch(`${base}/${key}`)).status));
    expect(new Set(statuses)).toEqual(new Set([403]));
  });

  it('lets servers go without the right to list: a record beyond the head that is refused counts as none', async () => {
    await setPolicy('AbsentIs404');
    become(server);
    expect(await send(server, 'GET', 'uk/switch/000000000002.json')).toBe(403);
    expect(await site.pull('second')).toMatchObject({ exitCode: EXIT.ok, stderr: '' });
    expect(readCurrentId(site.server('second'))).toBe(published);
  });
});
