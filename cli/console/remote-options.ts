import { InvalidArgumentError, Option } from 'commander';
import { RemoteError, type ObjectStore, type ReadableStore } from '../../build/remote/object-store.ts';
import { openReadableStore, openStore, RemoteUrlError, type RemoteAccess } from '../../build/remote/open-store.ts';
import { NotFastForwardError } from '../../build/remote/push.ts';
import { NoConditionsError, PushOvertakenError } from '../../build/remote/records.ts';
import { SigningKeyError } from '../../build/remote/signature.ts';
import { PullStateError } from '../../data/store/pull-state.ts';
import { CommandError, EXIT, type Context, type ExitCode } from './command.ts';
import { parseText } from './options.ts';

/** The options of a command that reaches a remote store. */
export interface RemoteOptions {
  readonly endpoint?: string;
  readonly region?: string;
}

export function remoteOptions(): readonly Option[] {
  return [
    new Option('--endpoint <url>', 'the address of an S3 service other than AWS')
      .env('AWS_ENDPOINT_URL_S3')
      .argParser(parseText),
    new Option('--region <name>', 'the region of the bucket (default: us-east-1)')
      .env('AWS_REGION')
      .argParser(parseText),
  ];
}

export function signingKeyOption(meaning: string): Option {
  return new Option('--signing-key <file>', meaning).env('DEALS_SIGNING_KEY').argParser(parseText);
}

export function trustOption(meaning: string): Option {
  return new Option('--trust <key or file>', meaning).env('DEALS_TRUST').argParser(collectTexts);
}

/** Several on the command line, or separated by commas in the environment. */
function collectTexts(text: string, before: readonly string[] | undefined): readonly string[] {
  const texts = text.split(',').map((each) => each.trim());
  if (texts.includes('')) throw new InvalidArgumentError('Expected a key (ed25519:…), or a file of keys.');
  return [...(before ?? []), ...texts];
}

/** A remote store that is read. @throws {CommandError} when the URL cannot be used */
export function openRemoteToRead(url: string, options: RemoteOptions, context: Context): ReadableStore {
  return asUsage(() => openReadableStore(url, createAccess(options, context)));
}

/** A remote store that is written to. @throws {CommandError} when the URL cannot be used */
export function openRemoteToWrite(url: string, options: RemoteOptions, context: Context): ObjectStore {
  return asUsage(() => openStore(url, createAccess(options, context)));
}

function createAccess({ endpoint, region }: RemoteOptions, context: Context): RemoteAccess {
  return { endpoint, region, environment: process.env, now: () => context.now().getTime() };
}

/** Runs what reads settings of a remote store. */
export function asUsage<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof RemoteUrlError || error instanceof SigningKeyError) {
      throw new CommandError(EXIT.usage, error.message);
    }
    throw error;
  }
}

/** Runs a push or a pull; its errors get their exit code. */
export async function withRemoteErrors(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    const exitCode = exitCodeOf(error);
    if (exitCode === undefined) throw error;
    throw new CommandError(exitCode, (error as Error).message);
  }
}

function exitCodeOf(error: unknown): ExitCode | undefined {
  if (error instanceof PushOvertakenError) return EXIT.busy;
  if (error instanceof NotFastForwardError || error instanceof NoConditionsError) return EXIT.refused;
  if (error instanceof RemoteError || error instanceof PullStateError) return EXIT.failed;
  return undefined;
}
