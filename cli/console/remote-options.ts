import { option } from './options.ts';

/** The options of a command that reaches a remote store. */
export const REMOTE = [
  option('--endpoint <url>', 'the address of an S3 service other than AWS').env('AWS_ENDPOINT_URL_S3'),
  option('--region <name>', 'the region of the bucket (default: us-east-1)').env('AWS_REGION'),
] as const;
