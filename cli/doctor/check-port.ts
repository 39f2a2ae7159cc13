import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { findCurrent } from '../../build/publish/stored-snapshot.ts';
import { fault, ok, warning, type Finding } from './finding.ts';
import { quoteForShell } from '../../build/source/quote.ts';

/** How a finding says that a server of ours answers at the port. */
export const SERVED = 'is served by us';

const PROBE_MS = 3_000;

/** What `/health/ready` of ours says. */
const healthSchema = z.union([
  z.object({
    status: z.literal('ready'),
    snapshot: z.string(),
    stale: z.boolean(),
    keysUnreadableSeconds: z.number().optional(),
  }),
  z.object({ status: z.literal('no-snapshot') }),
]);

/**
 * Whether a server could listen here, or one of ours does.
 *
 * @param store what the server is to serve; undefined where nobody knows
 */
export async function checkPort(host: string, port: number, store?: string): Promise<Finding> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const code = await tryToListen(host, port);
  switch (code) {
    case undefined:
      return ok('port', `${address} is free`);
    case 'EADDRINUSE':
      return describeServer(address, store);
    case 'EACCES':
      return fault(
        'port',
        `${address}: this user may not listen there`,
        'choose a port from 1024 on, with nginx in front',
      );
    default:
      return fault('port', `${address}: cannot be listened to (${code})`, 'give --host an address of this machine');
  }
}

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

async function describeServer(address: string, store: string | undefined): Promise<Finding> {
  const health = await findHealth(address);
  if (health === undefined) {
    return fault('port', `${address} is taken, by another program`, 'end that program, or choose another with --port');
  }
  if (health.status === 'no-snapshot') {
    return fault(
      'port',
      `${address} ${SERVED}, without a snapshot`,
      'run deals build, and see that both have one --store',
    );
  }
  const found = `${address} ${SERVED}, from ${health.snapshot}`;
  // A build keeps what is served: what is not there was not built there.
  if (store !== undefined && !existsSync(join(store, health.snapshot))) {
    return fault(
      'port',
      `${found}, which is not a snapshot of ${store}`,
      'name the store of that server with --store, or choose another port with --port',
    );
  }
  if (health.keysUnreadableSeconds !== undefined) {
    return fault(
      'port',
      `${found}, and cannot read its key file: keys that were revoked since then still work`,
      'let the user who serves read it: chown, or a group for both',
    );
  }
  const current = store === undefined ? undefined : findCurrent(store);
  if (store !== undefined && current !== undefined && current !== health.snapshot) {
    return warning(
      'port',
      `${found}, and not from the current ${current}`,
      `deals verify --store ${quoteForShell(store)} tells whether that one is damaged; a server takes up a sound one in seconds`,
    );
  }
  return health.stale
    ? warning('port', `${found}, which is stale`, 'see whether deals build still runs every night, and what it says')
    : ok('port', found);
}

async function findHealth(address: string): Promise<z.infer<typeof healthSchema> | undefined> {
  try {
    const response = await fetch(`http://${address.replace(/^(?:0\.0\.0\.0|\[::\]):/, '127.0.0.1:')}/health/ready`, {
      signal: AbortSignal.timeout(PROBE_MS),
      redirect: 'error',
    });
    return healthSchema.safeParse(await response.json()).data;
  } catch {
    return undefined;
  }
}
