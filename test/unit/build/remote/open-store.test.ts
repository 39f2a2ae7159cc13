import { describe, expect, it } from 'vitest';
import { openReadableStore, openStore, RemoteUrlError } from '../../../../build/remote/open-store.ts';
import { startMemoryS3 } from '../../../support/memory-s3.ts';

const ACCESS = { environment: { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' } };

describe('the URL of a remote store', () => {
  it.each([
    ['s3://catalogue/uk', 's3://catalogue/uk'],
    ['s3://catalogue', 's3://catalogue'],
    ['s3://catalogue/a/b/', 's3://catalogue/a/b'],
    ['file:///srv/shared/uk/', 'file:///srv/shared/uk'],
    ['https://cdn.example.com/uk/', 'https://cdn.example.com/uk'],
  ])('may be %s', (text, url) => {
    expect(openReadableStore(text, ACCESS).url).toBe(url);
  });

  it.each([
    ['catalogue/uk', 'expected s3://bucket/prefix'],
    ['ftp://host/uk', 'expected s3://bucket/prefix'],
    ['s3://Big_Bucket/uk', 'with letters, digits'],
    ['s3://catalogue/a b', 'with letters, digits'],
    ['s3://user:secret@catalogue/uk', 'with letters, digits'],
    ['file://host/share', 'file:///folder'],
    ['https://user:secret@host/uk', 'without a query and without a password'],
    ['https://host/uk?token=1', 'without a query and without a password'],
  ])('may not be %s', (text, message) => {
    expect(() => openReadableStore(text, ACCESS)).toThrow(RemoteUrlError);
    expect(() => openReadableStore(text, ACCESS)).toThrow(message);
  });

  it('never repeats a password', () => {
    expect(() => openReadableStore('https://user:secret@host/uk', ACCESS)).toThrow(/^(?!.*secret)/s);
    expect(() => openReadableStore('s3://user:secret@catalogue/uk', ACCESS)).toThrow(/^(?!.*secret)/s);
  });

  it('of the web is only read', () => {
    expect(() => openStore('https://host/uk', ACCESS)).toThrow('nothing can be written to it');
  });
});

describe('credentials', () => {
  const readWith = async (environment: Record<string, string>) => {
    const s3 = await startMemoryS3();
    try {
      const bucket = await s3.createBucket();
      const filled = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          name,
          value.replaceAll('ID', s3.accessKeyId).replaceAll('SECRET', s3.secretAccessKey),
        ]),
      );
      const access = { endpoint: s3.endpoint, environment: filled };
      return await openReadableStore(`s3://${bucket}`, access).get('current.json');
    } finally {
      await s3.stop();
    }
  };

  it('come from the environment', async () => {
    expect(await readWith({ AWS_ACCESS_KEY_ID: 'ID', AWS_SECRET_ACCESS_KEY: 'SECRET' })).toBeUndefined();
  });

  it.each([
    [{}, 'no credentials; set AWS_ACCESS_KEY_ID'],
    [{ AWS_ACCESS_KEY_ID: 'ID', AWS_SECRET_ACCESS_KEY: 'wrong' }, '403 SignatureDoesNotMatch'],
  ])('of %j are refused', async (environment, message) => {
    const error: unknown = await readWith(environment).catch((reason: unknown) => reason);
    expect((error as Error).message).toContain(message);
  });
});
