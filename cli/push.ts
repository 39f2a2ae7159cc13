import { openStore } from '../build/remote/open-store.ts';
import { pushSnapshot, type PushResult } from '../build/remote/push.ts';
import { readSigningKey, readTrustedKeys } from '../build/remote/signature.ts';
import { CommandError, defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { option, READ, wholeNumber } from './console/options.ts';
import { createAccess, REMOTE, signingKeyOption, trustOption, type RemoteOptions } from './console/remote-options.ts';
import { requireSnapshot, type ReadOptions } from './console/store.ts';

interface PushCommandOptions extends ReadOptions, RemoteOptions {
  readonly signingKey?: string;
  readonly trust?: readonly string[];
  readonly lead: number;
  readonly accept?: string;
  readonly singleWriter?: true;
  readonly repair?: true;
}

const DEFAULT_LEAD_SECONDS = 60;
const MAX_LEAD_SECONDS = 86_400;

/** Publishes the current snapshot to an object store, from which servers pull it. */
export const createPushCommand = defineCommand<PushCommandOptions, [url: string]>({
  name: 'push',
  description: 'publish the current snapshot to an object store, for servers that pull it',
  arguments: [['<url>', 's3://bucket/prefix, or file:///folder of a shared disk']],
  options: [
    signingKeyOption('the private key of this builder: deals keys create-signing makes one'),
    trustOption('the public keys of other builders of this object store'),
    option(
      '--lead <seconds>',
      'how long after the push all servers switch at once; longer than the time between their looks',
      wholeNumber(0, MAX_LEAD_SECONDS),
    ).default(DEFAULT_LEAD_SECONDS),
    option('--accept <what>', 'publish although it was not built on what is published, or that is gone').choices([
      'not-fast-forward',
      'lost-store',
    ]),
    option('--single-writer', 'no other builder pushes: the store need not support conditional writes'),
    option('--repair', 'upload every object of the snapshot again, in the place of damaged ones'),
    ...REMOTE,
    ...READ,
  ],
  note: 'Exit codes: 3 for a snapshot or a store that is refused, 4 when it is published and\nsomething is left to do, 75 when another builder was first.',
  examples: [
    'deals push s3://catalogue/uk --signing-key dist/signing.pem --lead 15',
    'deals push "file://$PWD/dist/remote" --signing-key dist/signing.pem --lead 0',
  ],
  run: push,
});

async function push(context: Context, options: PushCommandOptions, url: string): Promise<ExitCode> {
  const { output } = context;
  const { signingKey, lead, accept, singleWriter, repair } = options;
  if (signingKey === undefined) {
    throw new CommandError(
      EXIT.usage,
      '--signing-key: expected the private key that signs what is published; deals keys create-signing --signing-key signing.pem makes one',
    );
  }
  const remote = openStore(url, createAccess(options, context));
  const keys = { signingKey: readSigningKey(signingKey), trusted: readTrustedKeys(options.trust ?? []) };
  const { store } = await requireSnapshot(options);
  const result = await pushSnapshot({
    ...keys,
    store,
    remote,
    leadSeconds: lead,
    acceptsNotFastForward: accept === 'not-fast-forward',
    acceptsLostStore: accept === 'lost-store',
    isOnlyWriter: singleWriter === true,
    repairs: repair === true,
    now: () => context.now(),
  });
  output.report(options, { url: remote.url, ...result }, describePush(remote.url, result, lead));
  for (const warning of result.warnings) output.warn(`warning: ${warning}`);
  return result.warnings.length === 0 ? EXIT.ok : EXIT.attention;
}

function describePush(url: string, result: PushResult, leadSeconds: number): readonly string[] {
  const { outcome, isNew, revision, snapshot, activateAt, uploadedObjects, uploadedBytes, deletedObjects } = result;
  const uploaded = `uploaded ${uploadedObjects} objects, ${(uploadedBytes / 1e6).toFixed(1)} MB; deleted ${deletedObjects}`;
  return outcome === 'unchanged'
    ? [`unchanged: ${snapshot} is revision ${revision} of ${url} already`, ...(uploadedObjects > 0 ? [uploaded] : [])]
    : [
        `published: ${snapshot} as revision ${revision} of ${url}`,
        ...(isNew ? ['nothing was there before: a new remote store was begun'] : []),
        `servers that look at least every ${leadSeconds} s switch at ${activateAt}`,
        uploaded,
      ];
}
