import { setTimeout as sleep } from 'node:timers/promises';
import type { Conversation } from './exchange.ts';

/** Sends the pieces of a case, each in a packet of its own, with the key where it belongs. */
export async function sendPieces(conversation: Conversation, pieces: readonly string[], key: string): Promise<void> {
  for (const [at, piece] of pieces.entries()) {
    if (at > 0) await sleep(1);
    conversation.send(piece.replaceAll('KEY', key));
  }
}
