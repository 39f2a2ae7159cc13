import { openWritableStore, type RemoteOptions } from '../build/remote/open-store.ts';
import { pushSnapshot, type PushResult } from '../build/remote/push.ts';
import { readKey } from '../build/remote/record.ts';
import { defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { option, READ } from './console/options.ts';
import { REMOTE } from './console/remote-options.ts';
import { requireSnapshot, type ReadOptions } from './console/store.ts';

interface PushCommandOptions extends ReadOptions, RemoteOptions {
  readonly sign?: string;
  readonly force?: true;
}

/** Publishes the current snapshot to a remote store, from which servers pull it. */
export const createPushCommand = defineCommand<PushCommandOptions, [url: string]>({
  name: 'push',
  description: 'publish the current snapshot to a bucket or a shared folder, for servers that pull it',
  arguments: [['<url>', 's3://bucket/prefix, or file:///folder of a shared disk']],
  options: [
    option('--sign <file>', 'sign what is published with this Ed25519 key (openssl genpkey)').env('DEALS_SIGN'),
    option('--force', 'publish although it was not built on what is published'),
    ...REMOTE,
    ...READ,
  ],
  note: 'Exit codes: 3 for a snapshot or a store that is refused, 4 when it is published and\nsomething is left to do, 75 when another builder was first.',
  examples: ['deals push s3://catalogue/uk', 'deals push "file://$PWD/dist/remote"'],
  run: push,
});

async function push(context: Context, options: PushCommandOptions, url: string): Promise<ExitCode> {
  const { output } = context;
  const { sign, force } = options;
  const remote = openWritableStore(url, options, process.env);
  const privateKey = sign === undefined ? undefined : readKey(sign, 'private');
  const current = await requireSnapshot(options);
  const result = await pushSnapshot({ ...current, remote, privateKey, force: force === true, now: context.now() });
  output.report(options, { url: remote.url, ...result }, describePush(remote.url, result));
  for (const warning of result.warnings) output.warn(`warning: ${warning}`);
  return result.warnings.length === 0 ? EXIT.ok : EXIT.attention;
}

function describePush(url: string, result: PushResult): readonly string[] {
  const { outcome, revision, snapshot, uploadedFiles, uploadedBytes, deletedFiles } = result;
  const uploaded = `${uploadedFiles} files uploaded (${(uploadedBytes / 1e6).toFixed(1)} MB), ${deletedFiles} deleted`;
  const published = `${snapshot} as revision ${revision} of ${url}`;
  return [`${outcome === 'unchanged' ? 'published already' : 'published'}: ${published}`, uploaded];
}
