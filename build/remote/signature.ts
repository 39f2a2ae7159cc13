import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { isErrorCode, readRegularFile } from '../../data/store/regular-file.ts';
import { parseRemote, revisionRecordSchema, signedRecordSchema, type RevisionRecord } from './remote-format.ts';

/** A public key as people pass it on: `ed25519:` and its 32 bytes in base64url. */
const TRUSTED_KEY = /^ed25519:([A-Za-z0-9_-]{43})$/;

/** The key with which a builder signs records. */
export interface SigningKey {
  readonly id: string;
  readonly publicText: string;
  readonly privateKey: KeyObject;
}

/** The public keys whose records a server accepts, by their id. */
export type TrustedKeys = ReadonlyMap<string, KeyObject>;

/** A signing or trusted key that cannot be used, and why. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
}

/**
 * Creates an Ed25519 key pair (RFC 8032): the private key in `file` (PKCS #8, readable by its owner alone), the public key as a
 * line of text in `<file>.pub`.
 * @throws {SigningKeyError} when there is such a file
 */
export function createSigningKey(file: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = describeSigningKey(privateKey);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  createNewFile(file, pem, 0o600);
  createNewFile(`${file}.pub`, `${key.publicText}\n`, 0o644);
  return key;
}

/** @throws {SigningKeyError} when the file holds no Ed25519 key */
export function readSigningKey(file: string): SigningKey {
  const text = readKeyText(file);
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(text);
  } catch {
    throw new SigningKeyError(`${file}: expected a private key in PEM, as deals keys create-signing writes it`);
  }
  if (privateKey.asymmetricKeyType === 'ed25519') return describeSigningKey(privateKey);
  throw new SigningKeyError(`${file}: expected an Ed25519 key, got ${privateKey.asymmetricKeyType ?? 'another'}`);
}

/**
 * Reads trusted keys: each of `given` is a key (`ed25519:…`), or a file with one key a line; the rest of a line, and lines
 * that begin with `#`, are comments.
 * @throws {SigningKeyError} when one is neither, or a file has none
 */
export function readTrustedKeys(given: readonly string[]): TrustedKeys {
  return new Map(given.flatMap(readTrustedKeysOf));
}

function readTrustedKeysOf(given: string): [string, KeyObject][] {
  if (given.startsWith('ed25519:')) return [parseTrustedKey(given, '--trust')];
  const lines = readKeyText(given)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length === 0) throw new SigningKeyError(`${given}: expected a line with a key, found none`);
  return lines.map((line) => parseTrustedKey(line.split(/\s/)[0] as string, given));
}

function parseTrustedKey(text: string, place: string): [string, KeyObject] {
  const x = TRUSTED_KEY.exec(text)?.[1];
  if (x === undefined) {
    const got = JSON.stringify(text.slice(0, 60));
    throw new SigningKeyError(
      `${place}: expected ed25519: and 43 characters, as in the .pub file of the builder, got ${got}`,
    );
  }
  return [keyId(x), createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })];
}

/** The trust in one's own records. */
export function trustOwn({ id, privateKey }: SigningKey): TrustedKeys {
  return new Map([[id, createPublicKey(privateKey)]]);
}

/** A record with its signature, as bytes of the store. */
export function signRecord(record: RevisionRecord, { id, privateKey }: SigningKey): Buffer {
  const text = JSON.stringify(record);
  const value = sign(null, Buffer.from(text), privateKey).toString('base64');
  return Buffer.from(`${JSON.stringify({ text, signatures: [{ key: id, value }] })}\n`);
}

/** A record that a trusted key has signed, or why it is not accepted. */
export type VerifiedRecord =
  | { readonly kind: 'trusted'; readonly record: RevisionRecord; readonly key: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Checks the signature before anything of the record is read. */
export function verifyRecord(bytes: Buffer, revision: number, trusted: TrustedKeys): VerifiedRecord {
  const signed = parseRemote(signedRecordSchema, bytes);
  if (signed === undefined) return refuse('it is no signed record');
  const data = Buffer.from(signed.text);
  const key = signed.signatures.find(({ key: id, value }) => {
    const publicKey = trusted.get(id);
    return publicKey !== undefined && verify(null, data, publicKey, Buffer.from(value, 'base64'));
  })?.key;
  if (key === undefined) {
    const signers = signed.signatures.map(({ key: id }) => id).join(', ');
    return refuse(
      `no trusted key has signed it (it names ${signers}; trusted: ${[...trusted.keys()].join(', ')}); --trust takes the .pub file of the builder`,
    );
  }
  const record = parseRemote(revisionRecordSchema, signed.text);
  if (record === undefined) return refuse('it is of a format that this version of the program does not know');
  if (record.revision !== revision) return refuse(`it is a copy of revision ${record.revision}`);
  return { kind: 'trusted', record, key };
}

function refuse(reason: string): VerifiedRecord {
  return { kind: 'refused', reason };
}

function describeSigningKey(privateKey: KeyObject): SigningKey {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { id: keyId(x), publicText: `ed25519:${x}`, privateKey };
}

/** The first 16 hex digits of the SHA-256 of the text of the public key. */
function keyId(x: string): string {
  return hash('sha256', `ed25519:${x}`, 'hex').slice(0, 16);
}

function readKeyText(file: string): string {
  try {
    return readRegularFile(file);
  } catch (error) {
    const cause = isErrorCode(error, 'ENOENT') ? 'expected a key file, found none' : (error as Error).message;
    throw new SigningKeyError(`${file}: ${cause}`);
  }
}

function createNewFile(file: string, text: string, mode: number): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode, flush: true });
  } catch (error) {
    if (!isErrorCode(error, 'EEXIST')) throw error;
    throw new SigningKeyError(`${file}: there is such a file already; name another`);
  }
}
