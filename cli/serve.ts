import { SETTING_NAMES } from '../server/settings.ts';
import { startServer, type RunningServer } from '../server/start.ts';
import { defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { createLog } from './console/log.ts';
import {
  CONFIG,
  DEFAULT_PORT,
  HOST,
  keysOption,
  option,
  parsePort,
  PUBLIC_URL,
  readSettings,
  requireStore,
  settingOption,
  STORE,
  type StoreOptions,
} from './console/options.ts';

interface ServeOptions extends StoreOptions {
  readonly host: string;
  readonly port: number;
  readonly metricsPort?: number;
  readonly keys: string;
  readonly publicUrl?: string;
}

/** Answers the interface until it is told to stop. */
export const createServeCommand = defineCommand<ServeOptions>({
  name: 'serve',
  description: 'answer the interface from the current snapshot, and take up new ones as they are published',
  options: [
    STORE,
    CONFIG,
    keysOption().makeOptionMandatory(),
    HOST,
    option('-p, --port <number>', 'the port to listen on; 0 for any that is free', parsePort)
      .env('DEALS_PORT')
      .default(DEFAULT_PORT),
    option(
      '--metrics-port <number>',
      'a port of 127.0.0.1 for /metrics; 0 for any that is free (default: none)',
      parsePort,
    ).env('DEALS_METRICS_PORT'),
    PUBLIC_URL,
    ...SETTING_NAMES.map(settingOption),
  ],
  examples: [
    'deals serve --store dist/catalogue --keys dist/keys.json',
    'deals serve --store dist/catalogue --keys dist/keys.json --port 0 --metrics-port 9100 --max-age 5m',
  ],
  run: serve,
});

/** Waits for SIGINT or SIGTERM, and returns which it was; the next one ends the process at once. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const end = (signal: NodeJS.Signals): void => {
      process.off('SIGINT', end).off('SIGTERM', end);
      resolve(signal);
    };
    process.on('SIGINT', end).on('SIGTERM', end);
  });
}

async function serve(context: Context, options: ServeOptions): Promise<ExitCode> {
  const settings = readSettings(options);
  const { keys: keysFile, ...given } = options;
  const store = await requireStore(options);
  const log = createLog(context.output);
  const server = await startServer({ ...given, store, keysFile, settings, log });
  const stopped = untilSignal();
  // Only the address in a pipe or file, for programs; on a terminal also the pages.
  context.output.lines([server.url, ...(context.output.isStdoutTerminal ? describeAddresses(server) : [])]);
  log({ event: 'stopping', signal: await stopped });
  await server.close();
  return EXIT.ok;
}

/** @param keyText a key that the pages may take from the address, which is never sent to the server */
export function describeAddresses(
  { url, metricsUrl }: Pick<RunningServer, 'url' | 'metricsUrl'>,
  keyText?: string,
): readonly string[] {
  const key = keyText === undefined ? '' : `#key=${keyText}`;
  const addresses = {
    explore: `${url}/explore/${key}`,
    reference: `${url}/docs/${key}`,
    status: `${url}/status/${key}`,
    problems: `${url}/problems/`,
    health: `${url}/health/ready`,
    interface: `${url}/deals/v1/products/`,
    ...(metricsUrl !== undefined && { metrics: metricsUrl }),
  };
  return Object.entries(addresses).map(([name, address]) => `  ${name.padEnd(9)}  ${address}`);
}
