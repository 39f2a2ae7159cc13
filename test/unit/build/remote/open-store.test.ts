import { describe, expect, it } from 'vitest';
import { openStore } from '../../../../build/remote/open-store.ts';
import { startMemoryS3, type TestStore } from '../../../support/memory-s3.ts';

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

describe('the URL of a remote store', () => {
  it.each([
    ['s3://catalogue/uk', 's3://catalogue/uk'],
    ['s3://catalogue', 's3://catalogue'],
    ['s3://catalogue/a/b/', 's3://catalogue/a/b'],
    ['file:///srv/shared/uk/', 'file:///srv/shared/uk'],
    ['https://cdn.example.com/uk/', 'https://cdn.example.com/uk'],
  ])('may be %s', (text, url) => {
    expect(openStore(text, 'pull', {}, CREDENTIALS).url).toBe(url);
  });

  it.each([
    ['catalogue/uk', 'expected s3://bucket/prefix'],
    ['ftp://host/uk', 'expected s3://bucket/prefix'],
    ['s3://Big_Bucket/uk', 'with letters, digits'],
    ['s3://catalogue/a b', 'with letters, digits'],
    ['s3://user:secret@catalogue/uk', 's3://catalogue/uk: expected'],
    ['file://host/share', 'file:///folder'],
    ['https://user:secret@host/uk', 'https://host/uk: expected an address without a query and without a password'],
    ['https://host/uk?token=1', 'without a query and without a password'],
  ])('may not be %s', (text, message) => {
    expect(() => openStore(text, 'pull', {}, CREDENTIALS)).toThrow(
      expect.objectContaining({ name: 'RemoteUsageError', message: expect.stringContaining(message) as string }),
    );
  });

  it('of the web is only read', () => {
    expect(() => openStore('https://host/uk', 'push', {}, CREDENTIALS)).toThrow('nothing can be written to it');
  });
});

it.each([
  ['none', () => ({}), 'no credentials; set AWS_ACCESS_KEY_ID'],
  ['others', () => CREDENTIALS, '403 InvalidAccessKeyId'],
  ['a wrong secret', ({ accessKeyId }) => ({ ...CREDENTIALS, AWS_ACCESS_KEY_ID: accessKeyId }), '403 SignatureDoesNot'],
  ['its own', (s3) => ({ AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.secretAccessKey }), 'no file'],
] satisfies [string, (s3: TestStore) => object, string][])(
  'a bucket answers to the credentials of the environment: %s',
  async (_, credentialsFor, answer) => {
    const s3 = await startMemoryS3();
    const [url, options] = [`s3://${await s3.createBucket()}`, { endpoint: s3.endpoint }];
    const read = async () => {
      const file = await openStore(url, 'pull', options, { ...credentialsFor(s3) }).get('current.json');
      return file === undefined ? 'no file' : 'a file';
    };
    expect(await read().catch((error: Error) => error.message)).toContain(answer);
    await s3.stop();
  },
);
