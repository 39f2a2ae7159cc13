import type { IncomingMessage } from 'node:http';
import { negotiateEncoding, type Encoding } from './encoding.ts';

/** Few programs ask a service, each with one text of its own. */
const MAX_TEXTS = 100;
const MAX_TEXT_LENGTH = 200;

/** What each text of `Accept-Encoding` comes to, so that the same text is negotiated once. Bounded: clients choose it. */
export class EncodingMemory {
  readonly #encodings = new Map<string, Encoding>();

  /** The encoding for a text that was negotiated before, or for none. */
  recall(acceptEncoding: string | undefined): Encoding | undefined {
    return acceptEncoding === undefined ? 'identity' : this.#encodings.get(acceptEncoding);
  }

  negotiate(req: IncomingMessage): Encoding {
    const text = req.headers['accept-encoding'];
    const known = this.recall(text);
    if (known !== undefined || text === undefined) return known ?? 'identity';
    const encoding = negotiateEncoding(req);
    if (text.length <= MAX_TEXT_LENGTH) {
      // Whoever fills it with texts of no use makes the others negotiate again, and no more.
      if (this.#encodings.size >= MAX_TEXTS) this.#encodings.clear();
      this.#encodings.set(text, encoding);
    }
    return encoding;
  }
}
