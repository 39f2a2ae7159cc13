import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findCurrent, listSnapshots } from '../../../data/store/snapshots.ts';
import { startObjectStore } from '../../support/object-store/object-store.ts';
import { startMemoryS3 } from '../../support/memory-s3.ts';
import { DEALS, readCaseOptions } from '../bench-data.ts';
import { line, reportLines } from '../report-lines.ts';
import { MEGABYTE, runDeals, startServer, type Server } from '../server-process.ts';

/** A million deals from a builder to four servers on this machine, over a real object store where its packages are to be had. */
const { data } = readCaseOptions();
const folder = join(data.folder, 'remote');
rmSync(folder, { recursive: true, force: true });
const ceph = await startObjectStore();
const s3 = ceph ?? (await startMemoryS3());
Object.assign(process.env, { AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.secretAccessKey });
const url = `s3://${await s3.createBucket()}/bench`;
const builder = join(folder, 'builder');
cpSync(data.store('1m'), builder, { recursive: true });
const signingKey = join(folder, 'signing.pem');
await runDeals(['keys', 'create-signing', '--signing-key', signingKey]);
const reach = [url, '--endpoint', s3.endpoint];
const push = ['push', ...reach, '--signing-key', signingKey, '--store', builder, '--lead', '0', '--json'];
const storeOf = (number: number): string => join(folder, `server-${number}`);
const pull = (number: number): string[] => [
  'pull',
  ...reach,
  '--trust',
  `${signingKey}.pub`,
  '--store',
  storeOf(number),
];

interface Pushed {
  readonly uploadedBytes: number;
}

const first = await runDeals(push);
const again = await runDeals(push);
const NUMBERS = [1, 2, 3, 4];
const firstPull = await runDeals(pull(1));
for (const number of NUMBERS.slice(1)) await runDeals(pull(number));
const pullers: ChildProcess[] = NUMBERS.map((number) =>
  spawn(process.execPath, [DEALS, ...pull(number), '--watch', '--every', '1'], { stdio: 'ignore' }),
);
const servers: Server[] = [];
for (const number of NUMBERS) {
  const args = [DEALS, 'serve', '--store', storeOf(number), '--keys', data.keysFile, '--port', '0'];
  servers.push(await startServer({ command: process.execPath, args, stderr: 'ignore' }));
}

// The other snapshot of the store: one feed of seven has changed.
const other = listSnapshots(builder).find(({ id }) => id !== findCurrent(builder))?.id ?? '';
await runDeals(['rollback', '--store', builder, '--to', other]);
const start = performance.now();
const second = await runDeals(push);
await Promise.all(servers.map(untilServed));
const allSeconds = (performance.now() - start) / 1_000;
for (const puller of pullers) puller.kill('SIGKILL');
await Promise.all(servers.map((server) => server.stop()));
await s3.stop();

const dealCount = listSnapshots(builder)[0]?.manifest?.counts.deals ?? 0;
const bytes = (run: typeof first): number => (JSON.parse(run.stdout) as Pushed).uploadedBytes;
const { fetchedBytes } = JSON.parse(readFileSync(join(storeOf(1), 'pull.json'), 'utf8')) as {
  readonly fetchedBytes: number;
};
reportLines([
  line(
    '1M deals from the end of a build to the last of four servers, no lead',
    '< 30',
    's',
    allSeconds,
    ceph === undefined ? 'an S3 in memory' : 'Ceph RGW',
  ),
  line(
    'first push of 1M deals, pictures too',
    'shown',
    's',
    first.seconds,
    `${Math.round(bytes(first) / MEGABYTE)} MB`,
  ),
  line('the same, memory at its peak', 'shown', 'MB', first.peakBytes / MEGABYTE),
  line('a push of nothing new', '< 2', 's', again.seconds),
  line(
    'bytes of a deal on the wire, one feed of seven changed',
    'shown',
    'bytes',
    bytes(second) / dealCount,
    'all files of the snapshot, those for /status/ too',
  ),
  line(
    'first pull of 1M deals',
    'shown',
    's',
    firstPull.seconds,
    `${Math.round(fetchedBytes / MEGABYTE)} MB with the second`,
  ),
  line('the same, memory at its peak', 'shown', 'MB', firstPull.peakBytes / MEGABYTE),
]);
rmSync(folder, { recursive: true, force: true });

async function untilServed(server: Server): Promise<void> {
  for (;;) {
    const ready = (await (await fetch(`${server.url}/health/ready`)).json()) as { readonly snapshot: string };
    if (ready.snapshot === other) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}
