import type { Option } from 'commander';
import type { RemoteAccess } from '../../build/remote/open-store.ts';
import { SettingError } from '../../server/settings.ts';
import type { Context } from './command.ts';
import { option } from './options.ts';

/** The options of a command that reaches a remote store. */
export interface RemoteOptions {
  readonly endpoint?: string;
  readonly region?: string;
}

export const REMOTE = [
  option('--endpoint <url>', 'the address of an S3 service other than AWS').env('AWS_ENDPOINT_URL_S3'),
  option('--region <name>', 'the region of the bucket (default: us-east-1)').env('AWS_REGION'),
] as const;

export function signingKeyOption(meaning: string): Option {
  return option('--signing-key <file>', meaning).env('DEALS_SIGNING_KEY');
}

export function trustOption(meaning: string): Option {
  return option('--trust <key or file>', meaning, parseKeys).env('DEALS_TRUST');
}

/** Several on the command line, or separated by commas in the environment. */
function parseKeys(text: string): readonly string[] {
  const texts = text.split(',').map((each) => each.trim());
  if (texts.includes('')) throw new SettingError('Expected a key (ed25519:…), or a file of keys.');
  return texts;
}

export function createAccess({ endpoint, region }: RemoteOptions, context: Context): RemoteAccess {
  return { endpoint, region, environment: process.env, now: () => context.now().getTime() };
}
