import { answerOffline, type OfflineResponse } from '../server/catalogue.ts';
import { loadSnapshot } from '../server/snapshot/load-snapshot.ts';
import { defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import {
  CONFIG,
  DEFAULT_HOST,
  DEFAULT_PORT,
  option,
  PUBLIC_URL,
  requireSnapshot,
  STORE,
  type StoreOptions,
} from './console/options.ts';

interface QueryOptions extends StoreOptions {
  readonly snapshot?: string;
  readonly publicUrl?: string;
  readonly include?: true;
}

/** Answers one request without a server and without a key; the same bytes as over HTTP. */
export const createQueryCommand = defineCommand<QueryOptions, [target: string]>({
  name: 'query',
  description: 'answer one request without a server',
  arguments: [['<target>', 'path and query, as in a URL; put it in quotes']],
  options: [
    STORE,
    CONFIG,
    option('--snapshot <id>', 'answer from this snapshot (default: the current one)'),
    PUBLIC_URL,
    option('-i, --include', 'write the status and the headers before the body'),
  ],
  examples: [
    "deals query '/deals/v1/products/?limit=1' --store dist/catalogue",
    "deals query '/deals/v1/networks/' --store dist/catalogue --include",
  ],
  run: query,
});

async function query({ output }: Context, options: QueryOptions, target: string): Promise<ExitCode> {
  const { publicUrl = `http://${DEFAULT_HOST}:${DEFAULT_PORT}` } = options;
  const { store, id } = await requireSnapshot(options, options.snapshot);
  const answer = answerOffline(await loadSnapshot(store, id, { publicUrl }), target);
  if (options.include === true) output.result(describeHead(answer));
  output.result(answer.body);
  if (answer.status < 400) return EXIT.ok;
  return answer.status < 500 ? EXIT.usage : EXIT.failed;
}

function describeHead({ status, headers }: OfflineResponse): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${[`HTTP/1.1 ${status}`, ...lines].join('\n')}\n\n`;
}
