import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from '../build/remote/open-store.ts';
import { pullSnapshot, type PullOptions } from '../build/remote/pull.ts';
import { pushSnapshot } from '../build/remote/push.ts';
import { readKey } from '../build/remote/record.ts';
import { StoreBusyError } from '../data/store/lock.ts';
import type { Log } from '../server/log.ts';
import { defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { createLog } from './console/log.ts';
import { option, READ, type ReadOptions, requireSnapshot, resolveStore, wholeNumber } from './console/options.ts';

interface RemoteOptions extends ReadOptions {
  readonly endpoint?: string;
  readonly region?: string;
  readonly sign?: string;
  readonly force?: true;
  readonly trust?: string;
  readonly watch?: true;
  readonly every: number;
}

/** The options of both. */
const REMOTE = [
  option('--endpoint <url>', 'the address of an S3 service other than AWS').env('AWS_ENDPOINT_URL_S3'),
  option('--region <name>', 'the region of the bucket (default: us-east-1)').env('AWS_REGION'),
  ...READ,
] as const;

/** Publishes the current snapshot to a remote store, from which servers pull it. */
export const createPushCommand = defineCommand<RemoteOptions, [url: string]>({
  name: 'push',
  description: 'publish the current snapshot to a bucket or a shared folder, for servers that pull it',
  arguments: [['<url>', 's3://bucket/prefix, or file:///folder of a shared disk']],
  options: [
    option('--sign <file>', 'sign what is published with this Ed25519 key (openssl genpkey)').env('DEALS_SIGN'),
    option('--force', 'publish although it was not built on what is published'),
    ...REMOTE,
  ],
  note: 'Exit codes: 3 for a snapshot or a store that is refused, 4 when it is published and\nsomething is left to do, 75 when another builder was first.',
  examples: ['deals push s3://catalogue/uk', 'deals push "file://$PWD/dist/remote"'],
  run: push,
});

/** Brings what a builder has pushed into the store of a server. */
export const createPullCommand = defineCommand<RemoteOptions, [url: string]>({
  name: 'pull',
  description: 'bring the newest snapshot of a remote store into this one, check it, and make it current',
  arguments: [['<url>', 's3://bucket/prefix, https://host/path of the same files, or file:///folder']],
  options: [
    option('--trust <files>', 'take only what one of these public keys has signed, separated by commas').env(
      'DEALS_TRUST',
    ),
    option('--watch', 'go on looking; without it, one look'),
    option('--every <seconds>', 'with --watch: how long between two looks', wholeNumber(1, 3_600)).default(10),
    ...REMOTE,
  ],
  note: 'Exit codes without --watch: 1 when something could not be read or written, 3 for what\nis not accepted. The current snapshot stays.',
  examples: [
    'deals pull s3://catalogue/uk --store dist/server-1',
    'deals pull "file://$PWD/dist/remote" --store dist/server-2',
  ],
  run: pull,
});

async function push(context: Context, options: RemoteOptions, text: string): Promise<ExitCode> {
  const { output } = context;
  const remote = openStore(text, 'push', options, process.env);
  const privateKey = options.sign === undefined ? undefined : readKey(options.sign, 'private');
  const current = await requireSnapshot(options);
  const force = options.force === true;
  const result = await pushSnapshot({ ...current, remote, privateKey, force, now: context.now() });
  const { outcome, revision, snapshot, uploadedFiles, uploadedBytes, deletedFiles } = result;
  output.report(options, { url: remote.url, ...result }, [
    `published${outcome === 'unchanged' ? ' already' : ''}: ${snapshot} as revision ${revision} of ${remote.url}`,
    `${uploadedFiles} files uploaded (${(uploadedBytes / 1e6).toFixed(1)} MB), ${deletedFiles} deleted`,
  ]);
  for (const warning of result.warnings) output.warn(`warning: ${warning}`);
  return result.warnings.length === 0 ? EXIT.ok : EXIT.attention;
}

async function pull(context: Context, options: RemoteOptions, url: string): Promise<ExitCode> {
  const { output } = context;
  const trusted = (options.trust?.split(',') ?? []).map((file) => readKey(file.trim(), 'public'));
  const remote = openStore(url, 'pull', options, process.env);
  const pulling: PullOptions = { store: await resolveStore(options), remote, trusted, now: () => context.now() };
  if (options.watch === true) return watch(pulling, options.every, createLog(output));
  const look = await pullSnapshot(pulling);
  const { revision, snapshot, hasSwitched, refusal, failure } = look;
  const said = hasSwitched
    ? `current: ${snapshot}, revision ${revision}`
    : `nothing new: ${snapshot} is revision ${revision}`;
  output.report(options, look, [snapshot === undefined ? 'nothing is published there yet' : said]);
  for (const fault of [refusal, failure]) if (fault !== undefined) output.error(fault);
  if (failure !== undefined) return EXIT.failed;
  return refusal === undefined ? EXIT.ok : EXIT.refused;
}

/** Looks for ever. It may be killed at any moment. */
async function watch(pulling: PullOptions, everySeconds: number, log: Log): Promise<never> {
  let told: string | undefined;
  for (;;) {
    let waitMs = everySeconds * 1_000;
    try {
      const { failure, refusal, hasSwitched, revision, snapshot } = await pullSnapshot(pulling);
      if (hasSwitched) log({ event: 'pull-switched', revision, snapshot });
      const cause = failure ?? refusal;
      // What stays as it is is logged once.
      if (cause !== told) log(cause === undefined ? { event: 'pull-works' } : { event: 'pull-failed', cause });
      told = cause;
      // A damaged file is not mended by fetching it every ten seconds.
      if (failure !== undefined) waitMs *= 6;
    } catch (error) {
      if (!(error instanceof StoreBusyError)) throw error;
      log({ event: 'pull-waiting', cause: error.message });
    }
    // Servers that were started together do not ask together.
    await wait(waitMs * (0.9 + 0.2 * Math.random()));
  }
}
