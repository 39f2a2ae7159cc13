import type { IncomingMessage } from 'node:http';
import type { KeyHolder, KeyRing } from '../key/key-ring.ts';
import type { SnapshotHolder } from '../snapshot/snapshot-holder.ts';
import type { ReadyAnswer } from './answer-cache.ts';
import type { EncodingMemory } from './encoding-memory.ts';
import { readPlainHeaders } from './raw-request.ts';

export interface HotPathOptions {
  readonly snapshots: Pick<SnapshotHolder, 'current'>;
  readonly keyRing: () => KeyRing;
  readonly encodings: EncodingMemory;
  readonly now: () => Date;
}

/** A request that can be answered as it was before. */
export interface HotRequest {
  readonly answer: ReadyAnswer;
  readonly holder: KeyHolder;
  readonly origin: string | undefined;
}

/**
 * Finds the answer to a request that was answered before, without parsing or routing anything. What it skips,
 * and why that is safe:
 *
 * - The checks of the target and its route (D3): only targets that passed them all are in the cache, which is asked with
 *   the target exactly as sent. It holds targets in origin form, so one in absolute form is not found. What is checked of
 *   the head is not skipped: a request that `refuseAnywhere` refuses is not plain.
 * - The parameters, the cursor, the rows: the cache belongs to the current snapshot, and is asked for anew each time.
 * - The comparison of the key with all others: a key ring remembers the digests that it found, dies with the key file that
 *   it was made of, and looks at the clock each time.
 * - Negotiation: the text of `Accept-Encoding` was negotiated before.
 *
 * Whatever is not plain (another method, a header sent twice, a key that does not pass) is not hot: undefined, and the
 * long way tells what is wrong.
 */
export function findHotRequest(req: IncomingMessage, options: HotPathOptions): HotRequest | undefined {
  const { method, url } = req;
  const snapshot = options.snapshots.current;
  if ((method !== 'GET' && method !== 'HEAD') || url === undefined || snapshot === undefined) return undefined;
  const headers = readPlainHeaders(req);
  if (headers?.apiKey === undefined) return undefined;
  const encoding = options.encodings.recall(headers.acceptEncoding);
  if (encoding === undefined) return undefined;
  const answer = snapshot.answers.find(url, encoding, headers.ifNoneMatch);
  if (answer === undefined) return undefined;
  const check = options.keyRing().check(headers.apiKey, options.now());
  return check.kind === 'valid' ? { answer, holder: check, origin: headers.origin } : undefined;
}
