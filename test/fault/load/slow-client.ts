import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A head that never ends; a reader that takes nothing; a reader that takes a little every second. */
export type SlowKind = 'half-sent' | 'stalled' | 'dripping';

export interface SlowOptions {
  readonly url: string;
  readonly key: string;
  readonly target: string;
  readonly encoding: string;
  readonly bytesPerSecond: number;
  readonly clientsPerSecond: number;
}

/** A crowd of slow clients. What the server does to one of them is seen from the server: it does not look. */
export interface SlowCrowd {
  /** When each was connected. */
  readonly startedAt: readonly number[];
  leave(): void;
}

/** Lets `count` slow clients come, so many a second. */
export async function comeSlowly(kind: SlowKind, count: number, options: SlowOptions): Promise<SlowCrowd> {
  const sockets: Socket[] = [];
  const startedAt: number[] = [];
  const ticking = setInterval(() => {
    for (const socket of sockets) {
      if (kind === 'half-sent') socket.write('X-More: x\r\n');
      if (kind === 'dripping') socket.resume();
    }
  }, 1_000);
  const start = performance.now();
  while (sockets.length < count) {
    sockets.push(await connectSlowly(kind, options));
    startedAt.push(performance.now());
    const dueMs = (sockets.length / options.clientsPerSecond) * 1_000 - (performance.now() - start);
    if (dueMs > 0) await sleep(dueMs);
  }
  return {
    startedAt,
    leave: () => {
      clearInterval(ticking);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function connectSlowly(kind: SlowKind, options: SlowOptions): Promise<Socket> {
  const { hostname, port } = new URL(options.url);
  const { target, key, encoding } = options;
  return new Promise((resolve, reject) => {
    const socket = connect({
      port: Number(port),
      host: hostname,
      // As little as it takes in a second is read at a time, and then no more until it is resumed.
      onread: { buffer: Buffer.allocUnsafe(options.bytesPerSecond), callback: () => kind !== 'dripping' },
    });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject).on('error', () => undefined);
      if (kind === 'stalled') socket.pause();
      const lines = [`GET ${target} HTTP/1.1`, 'Host: x', `x-api-key: ${key}`, `Accept-Encoding: ${encoding}`];
      socket.write(`${lines.join('\r\n')}\r\n${kind === 'half-sent' ? '' : '\r\n'}`);
      resolve(socket);
    });
  });
}
