import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'deals_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 32 characters of base62 are 190 bits: no key can be guessed, so a fast hash is enough to store it (D16). */
const RANDOM_LENGTH = 32;
/** 62^6 is more than 2^32: six characters hold any CRC-32. */
const CHECKSUM_LENGTH = 6;

const KEY = /^deals_[0-9A-Za-z]{38}$/;

/** Makes a key: `deals_`, random characters, and a checksum over both that finds typing errors (D16). */
export function createApiKey(): string {
  let text = PREFIX;
  for (let i = 0; i < RANDOM_LENGTH; i++) text += BASE62.charAt(randomInt(BASE62.length));
  return text + checksumOf(text);
}

/** Whether `text` can be a key of this program. Says nothing about whether it was ever issued. */
export function isWellFormedKey(text: string): boolean {
  return KEY.test(text) && text.slice(-CHECKSUM_LENGTH) === checksumOf(text.slice(0, -CHECKSUM_LENGTH));
}

/**
 * What is wrong with a text that cannot be a key, as the end of a sentence; undefined for one that can. It depends on the
 * text alone, so it reveals nothing about existing keys.
 */
export function describeKeyTypo(text: string): string | undefined {
  if (!KEY.test(text)) {
    return `is not of the form of a key: ${PREFIX} and ${RANDOM_LENGTH + CHECKSUM_LENGTH} letters and digits, without quotes or a word before it`;
  }
  return isWellFormedKey(text) ? undefined : 'is mistyped: its checksum does not fit. Copy it again, whole';
}

/** The SHA-256 of a key in hex, which is stored in its place (D16). */
export function hashApiKey(text: string): string {
  return hash('sha256', text, 'hex');
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

const REDACTED = 'deals_[hidden]';
/** Keys that follow without a separator match as one. */
const PREFIXED_KEY = /deals(?:_|%5[Ff])\w{8,}/g;
/** A key that was pasted without its prefix. */
const BARE_KEY = /(?<![0-9A-Za-z])[0-9A-Za-z]{38}(?![0-9A-Za-z])/g;

/**
 * Replaces keys in a text from outside: a client may send its key in a path or a parameter, and from there it would get
 * into the log or the body of an error (D16). Also replaces mistyped keys, from which the key can be guessed.
 */
export function redactKeys(text: string): string {
  return text
    .replaceAll(PREFIXED_KEY, REDACTED)
    .replaceAll(BARE_KEY, (found) => (isWellFormedKey(`deals_${found}`) ? REDACTED : found));
}
