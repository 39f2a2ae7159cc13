import type { RemoteAccess } from '../../build/remote/open-store.ts';
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

export function createAccess({ endpoint, region }: RemoteOptions): RemoteAccess {
  return { endpoint, region, environment: process.env };
}
