import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { FeedConfig } from '../adapt/registry.ts';
import { headOf, writeFeedSections } from '../cache/feed-sections.ts';
import { MemoryWriter } from '../cache/sections.ts';
import { ExcludeRules } from '../records/exclude.ts';
import type { WorkerInputs, WorkerMessage } from './feed-threads.ts';
import { createFeedReader } from './read-whole-feed.ts';

// The entry of a worker thread. It gets the inputs once, and one feed after another by name and settings. It answers
// each with messages of progress and the result. Any error that is not about the feed ends the thread.

/** A message for every batch would cost more than it says. */
const PROGRESS_MS = 200;

function serve(port: MessagePort, { rules, ...inputs }: WorkerInputs): void {
  const read = createFeedReader({ ...inputs, exclusions: new ExcludeRules(rules, inputs.now) });
  const send = (message: WorkerMessage, transferred: readonly ArrayBuffer[] = []): void =>
    port.postMessage(message, transferred);

  const answer = async (feed: FeedConfig): Promise<void> => {
    let toldMs = performance.now();
    const result = await read(feed, (progress) => {
      if (performance.now() - toldMs < PROGRESS_MS) return;
      toldMs = performance.now();
      send({ kind: 'progress', progress });
    });
    if (result.kind === 'unread') return send(result);
    const writer = new MemoryWriter();
    writeFeedSections(writer, result.feed);
    const { sections } = writer;
    send({ kind: 'whole', head: headOf(result.feed), sections }, sections);
  };
  port.on('message', (feed: FeedConfig) => void answer(feed));
}

if (parentPort !== null) serve(parentPort, workerData as WorkerInputs);
