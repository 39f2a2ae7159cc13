import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { FeedConfig } from '../adapt/registry.ts';
import { readFeedSections, type FeedHead } from '../cache/feed-sections.ts';
import { MemoryReader } from '../cache/sections.ts';
import type { ExcludeRules } from '../records/exclude.ts';
import type { FeedInputs, FeedProgress, FeedResult, OnFeedProgress, ReadWholeFeed } from './read-whole-feed.ts';

/** A thread ended before the feed that it read: the machine failed, not the feed. */
export class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError';
}

const EXTENSION = extname(import.meta.filename);
const WORKER_FILE = join(import.meta.dirname, `feed-worker${EXTENSION}`);

/** The inputs as a message: only plain values. */
export interface WorkerInputs extends Omit<FeedInputs, 'exclusions'> {
  readonly rules: ExcludeRules['rules'];
}

export type WorkerMessage = { readonly kind: 'progress'; readonly progress: FeedProgress } | WorkerAnswer;

type WorkerAnswer =
  | { readonly kind: 'whole'; readonly head: FeedHead; readonly sections: readonly ArrayBuffer[] }
  | Extract<FeedResult, { kind: 'unread' }>;

interface Job {
  readonly feed: FeedConfig;
  readonly onProgress: OnFeedProgress;
  readonly resolve: (answer: WorkerAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads feeds in worker threads, each feed in one of them, in the order in which they are given. A result is the same as
 * without threads. When a thread ends too early, every feed that is still to be read fails with its error.
 */
export class FeedThreads {
  readonly #count: number;
  readonly #inputs: WorkerInputs;
  readonly #onStart: (feed: FeedConfig) => void;
  readonly #waiting: Job[] = [];
  /** The threads that run, with their feed. */
  readonly #busy = new Map<Worker, Job>();

  /**
   * @param count the largest number of threads
   * @param onStart called when the reading of a feed starts
   */
  constructor(count: number, inputs: WorkerInputs, onStart: (feed: FeedConfig) => void) {
    this.#count = count;
    this.#inputs = inputs;
    this.#onStart = onStart;
  }

  readonly read: ReadWholeFeed = async (feed, onProgress) => {
    const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
      const job = { feed, onProgress, resolve, reject };
      if (this.#busy.size < this.#count) this.#give(this.#start(), job);
      else this.#waiting.push(job);
    });
    if (answer.kind === 'unread') return answer;
    return { kind: 'whole', feed: readFeedSections(new MemoryReader(answer.sections), answer.head) };
  };

  /** Ends the threads. Feeds that are not read are given up. */
  async close(): Promise<void> {
    const threads = [...this.#busy.keys()];
    this.#busy.clear();
    this.#waiting.length = 0;
    await Promise.all(threads.map((worker) => worker.terminate()));
  }

  #start(): Worker {
    const worker = startWorker({ workerData: this.#inputs });
    worker.on('message', (message: WorkerMessage) => this.#take(worker, message));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#fail(worker, ({ name }) => (isMemory ? new ThreadEndedError(`${describeEnd(name)}: ${MEMORY}`) : error));
    });
    worker.on('exit', (code) =>
      this.#fail(worker, ({ name }) => new ThreadEndedError(`${describeEnd(name)} with code ${code}`)),
    );
    return worker;
  }

  #give(worker: Worker, job: Job): void {
    this.#busy.set(worker, job);
    this.#onStart(job.feed);
    worker.postMessage(job.feed);
  }

  #take(worker: Worker, message: WorkerMessage): void {
    const job = this.#busy.get(worker);
    if (job === undefined) return;
    if (message.kind === 'progress') return job.onProgress(message.progress);
    const next = this.#waiting.shift();
    if (next === undefined) {
      // Its memory is free for the rest of the build.
      this.#busy.delete(worker);
      void worker.terminate();
    } else {
      this.#give(worker, next);
    }
    job.resolve(message);
  }

  /** No feed is read any more: the build cannot go on. */
  #fail(worker: Worker, describe: (feed: FeedConfig) => Error): void {
    const job = this.#busy.get(worker);
    if (job === undefined) return;
    const error = describe(job.feed);
    const jobs = [...this.#busy.values(), ...this.#waiting];
    void this.close();
    for (const { reject } of jobs) reject(error);
  }
}

/** Under tsx and vitest the program is TypeScript, which a thread learns to read first. */
function startWorker(options: WorkerOptions): Worker {
  if (EXTENSION === '.js') return new Worker(WORKER_FILE, options);
  const [tsx, entry] = [import.meta.resolve('tsx/esm/api'), pathToFileURL(WORKER_FILE).href].map((url) => `'${url}'`);
  const code = `import(${tsx}).then(({ register }) => (register(), import(${entry})))`;
  return new Worker(code, { ...options, eval: true });
}

function describeEnd(feed: string): string {
  return `the thread that read ${feed} ended`;
}

const MEMORY =
  'its memory did not suffice; give the program more (NODE_OPTIONS=--max-old-space-size=4096), or read one feed at a time with --threads 1';
