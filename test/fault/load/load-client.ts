import { RawConnection, type Outcome } from './raw-connection.ts';

/** What a client process is to do; it answers with a `LoadResult`. */
export interface LoadTask {
  readonly url: string;
  /** A whole request, ready to be sent. */
  readonly request: string;
  readonly seconds: number;
  /** So many a second, whether they are answered or not; absent: each connection asks as soon as it is answered. */
  readonly perSecond?: number;
  /** The most that there may be. */
  readonly connections: number;
}

export interface LoadResult {
  readonly seconds: number;
  /** When each good answer was there, and how long it took, in milliseconds. */
  readonly good: readonly (readonly [atMs: number, tookMs: number])[];
  readonly shed: number;
  /** Refusals without `Retry-After`. */
  readonly shedWithoutRetry: number;
  readonly otherStatus: number;
  readonly lost: number;
  /** Not sent, since every connection was waiting. */
  readonly unsent: number;
}

const TICK_MS = 5;

process.on('message', (task: LoadTask) => {
  void run(task).then((result) => process.send?.(result));
});
process.send?.('ready');

/** Runs in a process of its own, so that what it measures is the server. */
function run({ url, request, seconds, perSecond, connections }: LoadTask): Promise<LoadResult> {
  const good: [number, number][] = [];
  const counts = { shed: 0, shedWithoutRetry: 0, otherStatus: 0, lost: 0, unsent: 0 };
  const free: RawConnection[] = [];
  const all = new Set<RawConnection>();
  const start = performance.now();
  const isOver = (): boolean => performance.now() - start > seconds * 1_000;
  let waitingCount = 0;

  const take = (outcome: Outcome, connection: RawConnection, sentAt: number): void => {
    waitingCount--;
    const now = performance.now();
    if (outcome.kind === 'lost') counts.lost++;
    else if (outcome.status === 200) good.push([now - start, now - sentAt]);
    else if (outcome.status === 503) {
      counts.shed++;
      if (outcome.retryAfter === undefined) counts.shedWithoutRetry++;
    } else counts.otherStatus++;
    if (outcome.kind === 'lost' || outcome.close) all.delete(connection);
    else free.push(connection);
    if (perSecond === undefined && !isOver()) ask();
  };

  const ask = (): void => {
    // The one that has been idle longest: none is idle for the five seconds after which the server closes it.
    let connection = free.shift();
    while (connection?.isClosed === true) {
      all.delete(connection);
      connection = free.shift();
    }
    if (connection === undefined && all.size >= connections) {
      counts.unsent++;
      return;
    }
    const used = connection ?? new RawConnection(url);
    all.add(used);
    waitingCount++;
    const sentAt = performance.now();
    used.ask(request, (outcome) => take(outcome, used, sentAt));
  };

  return new Promise((resolve) => {
    const end = (): void => {
      for (const connection of all) connection.close();
      resolve({ seconds: (performance.now() - start) / 1_000, good, ...counts });
    };
    if (perSecond === undefined) for (let i = 0; i < connections; i++) ask();
    let askedCount = 0;
    const ticking = setInterval(() => {
      const elapsed = performance.now() - start;
      if (perSecond !== undefined && !isOver()) {
        for (; askedCount < (perSecond * elapsed) / 1_000; askedCount++) ask();
      }
      if (!isOver() || (waitingCount > 0 && elapsed < (seconds + 5) * 1_000)) return;
      clearInterval(ticking);
      end();
    }, TICK_MS);
  });
}
