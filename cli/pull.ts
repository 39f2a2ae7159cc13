import { wait } from '../build/remote/object-store.ts';
import { openReadableStore } from '../build/remote/open-store.ts';
import { Puller, type Look } from '../build/remote/pull.ts';
import { readTrustedKeys } from '../build/remote/signature.ts';
import { createFolderDurably } from '../data/store/durable-file.ts';
import { StoreBusyError } from '../data/store/lock.ts';
import type { Log } from '../server/log.ts';
import { CommandError, defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { createLog } from './console/log.ts';
import { option, READ, wholeNumber } from './console/options.ts';
import { createAccess, REMOTE, trustOption, type RemoteOptions } from './console/remote-options.ts';
import { resolveStore, type ReadOptions } from './console/store.ts';

interface PullCommandOptions extends ReadOptions, RemoteOptions {
  readonly trust?: readonly string[];
  readonly watch?: true;
  readonly every: number;
}

const DEFAULT_SECONDS = 10;
const MAX_SECONDS = 3_600;

/** Brings what a builder has pushed into the store of a server. */
export const createPullCommand = defineCommand<PullCommandOptions, [url: string]>({
  name: 'pull',
  description: 'bring the newest snapshot of an object store into this store, verify it, and make it current',
  arguments: [['<url>', 's3://bucket/prefix, https://host/path of the same objects, or file:///folder']],
  options: [
    trustOption('the public keys of the builders, from their .pub files: nothing else is accepted'),
    option('--watch', 'go on looking; without it, one look and its switch'),
    option('--every <seconds>', 'with --watch: how long between two looks', wholeNumber(1, MAX_SECONDS)).default(
      DEFAULT_SECONDS,
    ),
    ...REMOTE,
    ...READ,
  ],
  note: 'Exit codes without --watch: 1 when something could not be read or written, 3 for a\nrecord that is not accepted. The current snapshot stays.',
  examples: [
    'deals pull s3://catalogue/uk --trust dist/signing.pem.pub --store dist/server-1',
    'deals pull "file://$PWD/dist/remote" --trust dist/signing.pem.pub --store dist/server-2',
  ],
  run: pull,
});

async function pull(context: Context, options: PullCommandOptions, url: string): Promise<ExitCode> {
  const { output } = context;
  if (options.trust === undefined) {
    throw new CommandError(
      EXIT.usage,
      '--trust: expected the public key of the builder; it is in the .pub file beside its signing key',
    );
  }
  const trusted = readTrustedKeys(options.trust);
  const remote = openReadableStore(url, createAccess(options, context));
  const store = await resolveStore(options);
  createFolderDurably(store);
  const puller = new Puller({ store, remote, trusted, now: () => context.now() });
  if (options.watch === true) return watch(puller, options.every, createLog(output));
  const look = await pullOnce(puller, (text) => output.message(text));
  const { announced, hasSwitched, refusal, failure } = look;
  if (options.json !== true && announced === undefined && failure === undefined && refusal === undefined) {
    output.message('nothing is published there yet');
  }
  output.report(
    options,
    { switched: hasSwitched, revision: announced?.revision, snapshot: announced?.snapshot, refusal, failure },
    describeLook(look),
  );
  if (refusal !== undefined) output.error(refusal);
  if (failure !== undefined) output.error(`${failure.step}: ${failure.message}`);
  if (failure !== undefined) return EXIT.failed;
  return refusal === undefined ? EXIT.ok : EXIT.refused;
}

/** Looks, and waits until the snapshot that was found is to be shown. */
async function pullOnce(puller: Puller, tell: (text: string) => void): Promise<Look> {
  for (;;) {
    const look = await puller.look();
    const { waitMs } = puller;
    if (look.hasSwitched || waitMs === undefined || (waitMs === 0 && look.failure !== undefined)) return look;
    tell(`${look.announced?.snapshot} is here; servers switch in ${Math.ceil(waitMs / 1_000)} s`);
    await wait(waitMs);
  }
}

/** Looks for ever. It may be killed at any moment. */
async function watch(puller: Puller, everySeconds: number, log: Log): Promise<never> {
  let told = '';
  for (;;) {
    let isFaulty = true;
    try {
      const look = await puller.look();
      const text = JSON.stringify([look.failure, look.refusal]);
      // What stays as it is is logged once.
      if (text !== told) logFaults(look, log);
      told = text;
      isFaulty = look.failure !== undefined;
      if (look.hasSwitched) {
        log({ event: 'pull-switched', revision: look.announced?.revision, snapshot: look.announced?.snapshot });
      }
    } catch (error) {
      if (!(error instanceof StoreBusyError)) throw error;
      log({ event: 'pull-waiting', cause: error.message });
    }
    // Servers that were started together do not ask together.
    const untilNextMs = everySeconds * 1_000 * (0.9 + 0.2 * Math.random());
    await wait(isFaulty ? untilNextMs : Math.min(untilNextMs, puller.waitMs ?? untilNextMs));
  }
}

function logFaults({ failure, refusal }: Look, log: Log): void {
  if (failure !== undefined) log({ event: 'pull-failed', step: failure.step, cause: failure.message });
  if (refusal !== undefined) log({ event: 'pull-refused', cause: refusal });
  if (failure === undefined && refusal === undefined) log({ event: 'pull-works' });
}

function describeLook({ announced, hasSwitched }: Look): readonly string[] {
  if (announced === undefined) return [];
  const { revision, snapshot } = announced;
  return [
    hasSwitched ? `current: ${snapshot}, revision ${revision}` : `nothing new: ${snapshot} is revision ${revision}`,
  ];
}
