import { writeFileSync, statSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HttpStore } from '../../../../build/remote/http-store.ts';
import { openReadableStore, openStore, RemoteUrlError } from '../../../../build/remote/open-store.ts';
import {
  createSigningKey,
  readSigningKey,
  readTrustedKeys,
  SigningKeyError,
} from '../../../../build/remote/signature.ts';
import { startMemoryS3 } from '../../../support/memory-s3.ts';
import { createTemporaryFolder } from '../publish/temporary-store.ts';

const ACCESS = { environment: {}, now: () => 0 };

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
    ['file://host/share', 'file:/// and the path'],
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
      const access = { endpoint: s3.endpoint, environment: filled, now: () => Date.now() };
      return await openReadableStore(`s3://${bucket}`, access).get('head.json');
    } finally {
      await s3.stop();
    }
  };

  it('come from the environment', async () => {
    expect(await readWith({ AWS_ACCESS_KEY_ID: 'ID', AWS_SECRET_ACCESS_KEY: 'SECRET' })).toEqual({ kind: 'absent' });
  });

  it('come from a command that prints JSON', async () => {
    const command = `echo '{"AccessKeyId":"ID","SecretAccessKey":"SECRET"}'`;
    expect(await readWith({ DEALS_S3_CREDENTIALS_COMMAND: command })).toEqual({ kind: 'absent' });
  });

  it.each([
    [{}, 'no credentials: set AWS_ACCESS_KEY_ID'],
    [{ DEALS_S3_CREDENTIALS_COMMAND: 'exit 7' }, 'failed (7)'],
    [{ DEALS_S3_CREDENTIALS_COMMAND: 'echo s3cret' }, 'got something else'],
    [{ AWS_ACCESS_KEY_ID: 'ID', AWS_SECRET_ACCESS_KEY: 'wrong' }, '403 SignatureDoesNotMatch'],
  ])('of %j are refused', async (environment, message) => {
    const error: unknown = await readWith(environment).catch((reason: unknown) => reason);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('s3cret');
  });
});

describe('a signing key', () => {
  it('is readable by its owner alone, and its public half is one line that --trust takes as text or as file', () => {
    const file = join(createTemporaryFolder(), 'signing.pem');
    const { id, publicText } = createSigningKey(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(`${file}.pub`, 'utf8')).toBe(`${publicText}\n`);
    expect(readSigningKey(file).id).toBe(id);
    for (const given of [publicText, `${file}.pub`]) expect([...readTrustedKeys([given]).keys()]).toEqual([id]);
  });

  it('never replaces a file', () => {
    const file = join(createTemporaryFolder(), 'signing.pem');
    createSigningKey(file);
    const before = readFileSync(file, 'utf8');
    expect(() => createSigningKey(file)).toThrow('there is such a file already');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it.each([
    ['ed25519:short', 'expected ed25519: and 43 characters'],
    ['/absent.pub', 'expected a key file, found none'],
  ])('is refused as %s', (given, message) => {
    expect(() => readTrustedKeys([given])).toThrow(SigningKeyError);
    expect(() => readTrustedKeys([given])).toThrow(message);
  });

  it('may stand in a file with comments, and a private key there is refused without being repeated', () => {
    const folder = createTemporaryFolder();
    const { id, publicText } = createSigningKey(join(folder, 'signing.pem'));
    const file = join(folder, 'trusted');
    writeFileSync(file, `# the builder\n\n${publicText} builder one\n`);
    expect([...readTrustedKeys([file]).keys()]).toEqual([id]);
    expect(() => readTrustedKeys([join(folder, 'signing.pem')])).toThrow('got "-----BEGIN"');
    writeFileSync(file, '# none\n');
    expect(() => readTrustedKeys([file])).toThrow('expected a line with a key, found none');
  });
});

describe('a store behind a web server', () => {
  it('is read with the same objects, and asked again only with the ETag', async () => {
    const { createServer } = await import('node:http');
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.headers['if-none-match']);
      const isKnown = request.headers['if-none-match'] === '"1"';
      response
        .writeHead(request.url === '/uk/absent' ? 404 : isKnown ? 304 : 200, { etag: '"1"' })
        .end(isKnown ? '' : 'text');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as import('node:net').AddressInfo;
    const store = new HttpStore(`http://127.0.0.1:${port}/uk/`);
    expect(await store.get('head.json')).toMatchObject({ kind: 'found', etag: '"1"' });
    expect(await store.get('head.json', '"1"')).toEqual({ kind: 'unchanged' });
    expect(await store.get('absent')).toEqual({ kind: 'absent' });
    server.closeAllConnections();
    server.close();
    await expect(store.get('head.json')).rejects.toMatchObject({ kind: 'unreachable' });
    expect(asked).toEqual([undefined, '"1"', undefined]);
  });
});
