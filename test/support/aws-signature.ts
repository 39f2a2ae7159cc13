import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The largest difference between the clocks of client and store that S3 accepts. */
const MAX_SKEW_MS = 15 * 60_000;

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/,]+)\/s3\/aws4_request,\s*SignedHeaders=([a-z0-9;-]+),\s*Signature=([0-9a-f]{64})$/;
const TIMESTAMP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

export interface StoreCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Why a request is refused, by the code that S3 answers with status 403. */
export type SignatureFault =
  | 'AccessDenied'
  | 'AuthorizationHeaderMalformed'
  | 'InvalidAccessKeyId'
  | 'RequestTimeTooSkewed'
  | 'SignatureDoesNotMatch';

/**
 * Checks the `Authorization` header of a request to S3 by AWS Signature Version 4. It is written from the documentation
 * of the signature and shares no code with the client, so that each checks the other.
 */
export function findSignatureFault(
  request: IncomingMessage,
  credentials: StoreCredentials,
  now: Date,
): SignatureFault | undefined {
  const { authorization } = request.headers;
  if (authorization === undefined) return 'AccessDenied';
  const [, accessKeyId, day = '', region = '', names = '', signature] = AUTHORIZATION.exec(authorization) ?? [];
  const timestamp = readHeader(request, 'x-amz-date');
  if (signature === undefined || !timestamp.startsWith(day)) return 'AuthorizationHeaderMalformed';
  if (accessKeyId !== credentials.accessKeyId) return 'InvalidAccessKeyId';
  const time = Date.parse(timestamp.replace(TIMESTAMP, '$1-$2-$3T$4:$5:$6Z'));
  // A timestamp that cannot be read is not a number, and so not within the limit.
  if (!(Math.abs(now.getTime() - time) <= MAX_SKEW_MS)) return 'RequestTimeTooSkewed';

  const signedNames = names.split(';');
  const mustBeSigned = Object.keys(request.headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (mustBeSigned.some((name) => !signedNames.includes(name))) return 'AccessDenied';
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', timestamp, scope, sha256Hex(canonicalRequest(request, signedNames))].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (previous, part) => hmac(previous, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  return hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}

/** The SHA-256 of bytes, as `x-amz-content-sha256` has it. */
export function sha256Hex(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function canonicalRequest(request: IncomingMessage, signedNames: readonly string[]): string {
  const { method = '', url = '' } = request;
  const [path = '', query = ''] = url.split('?', 2);
  const parameters = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2).map((text) => decodeURIComponent(text.replaceAll('+', ' ')));
      return `${encode(name)}=${encode(value)}`;
    });
  return [
    method,
    decodeURIComponent(path).split('/').map(encode).join('/'),
    parameters.sort().join('&'),
    ...signedNames.map((name) => `${name}:${readHeader(request, name)}`),
    '',
    signedNames.join(';'),
    readHeader(request, 'x-amz-content-sha256'),
  ].join('\n');
}

function readHeader(request: IncomingMessage, name: string): string {
  const values = request.headersDistinct[name] ?? [];
  return values.map((value) => value.trim().replaceAll(/ +/g, ' ')).join(',');
}

/** Encodes all but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
