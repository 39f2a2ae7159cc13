import { once } from 'node:events';
import { Option } from 'commander';
import type { Log } from '../server/log.ts';
import type { ServerSettings } from '../server/settings.ts';
import { startServer, type RunningServer, type StartOptions } from '../server/start.ts';
import { CommandError, EXIT, type Context, type ExitCode } from './console/command.ts';
import { describeSystemError, isPortError, type SystemError } from './console/errors.ts';
import { createLog } from './console/log.ts';
import {
  configOption,
  defineCommand,
  keysOption,
  parseWholeNumber,
  requireStore,
  storeOption,
  type StoreOptions,
} from './console/options.ts';
import { formatLines } from './console/output.ts';
import {
  hostOption,
  OTHER_PORTS,
  portOption,
  publicUrlOption,
  readSettings,
  settingOptions,
} from './console/server-options.ts';

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
  description:
    'answer the interface from the current snapshot of the store, and take up new ones as they are published',
  options: [
    storeOption(),
    configOption(),
    keysOption().makeOptionMandatory(),
    hostOption(),
    portOption(),
    new Option('--metrics-port <number>', 'a port of 127.0.0.1 for /metrics; 0 for any that is free (default: none)')
      .env('DEALS_METRICS_PORT')
      .argParser(parseWholeNumber(0, 65_535)),
    publicUrlOption(),
    ...settingOptions(),
  ],
  examples: [
    'deals serve --store dist/catalogue --keys dist/keys.json',
    'deals serve --store dist/catalogue --keys dist/keys.json --port 0 --metrics-port 9100 --max-age 5m',
  ],
  run: serve,
});

/**
 * Runs the server until SIGINT or SIGTERM, and finishes running responses. A second signal ends the process at once.
 */
export async function runUntilStopped(server: RunningServer, log: Log, announce: () => void): Promise<void> {
  const stopped = untilSignal();
  announce();
  log({ event: 'stopping', signal: await stopped });
  await server.close();
}

/** Waits for SIGINT or SIGTERM, and returns which it was; the next one ends the process at once. */
export async function untilSignal(): Promise<string> {
  const others = new AbortController();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const waits = signals.map((signal) => once(process, signal, { signal: others.signal }).then(() => signal));
  const signal = await Promise.race(waits);
  others.abort();
  return signal;
}

async function serve(context: Context, options: ServeOptions): Promise<ExitCode> {
  const settings = readSettings(options);
  const { host, port, keys: keysFile, publicUrl, metricsPort } = options;
  const store = await requireStore(options);
  const log = createLog(context.output);
  const starting = startServer({
    store,
    keysFile,
    host,
    port,
    settings,
    log,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(metricsPort === undefined ? {} : { metricsPort }),
  });
  const server = await starting.catch((error: unknown) => {
    throw isPortError(error) ? new CommandError(EXIT.failed, describePortError(error, options)) : error;
  });
  await runUntilStopped(server, log, () =>
    context.output.result(describeServer(server, context.output.isStdoutTerminal)),
  );
  return EXIT.ok;
}

/** Names the option of the refused port, or both options when their numbers are equal. */
function describePortError(error: SystemError, { port, metricsPort }: ServeOptions): string {
  const ports = [port === error.port ? '--port' : [], metricsPort === error.port ? '--metrics-port' : []].flat();
  return describeSystemError(error, ports.join(' or '));
}

/** Only the address in a pipe or file, for programs; on a terminal also the pages. */
function describeServer({ url, metricsUrl }: RunningServer, isSeen: boolean): string {
  const lines = isSeen ? [url, ...describeAddresses({ url, metricsUrl })] : [url];
  return formatLines(lines);
}

/** Settings of a local server: pages of this machine may call it. */
export function localSettings(corsOrigins: readonly string[]): Partial<ServerSettings> {
  return { corsOrigins: ['localhost', ...corsOrigins] };
}

/** Starts a server on the port, or on one of the next when it is taken. */
export async function startOnFreePort(options: StartOptions, othersLeft = OTHER_PORTS): Promise<RunningServer> {
  try {
    return await startServer(options);
  } catch (error) {
    if (!isPortError(error) || error.code !== 'EADDRINUSE' || othersLeft === 0) throw error;
    return startOnFreePort({ ...options, port: options.port + 1 }, othersLeft - 1);
  }
}

export interface ServerAddresses {
  readonly url: string;
  readonly metricsUrl?: string | undefined;
  /** A key that the pages may take from the address, which is never sent to the server. */
  readonly keyText?: string;
}

export function describeAddresses({ url, metricsUrl, keyText }: ServerAddresses): readonly string[] {
  const key = keyText === undefined ? '' : `#key=${keyText}`;
  const addresses: readonly (readonly [string, string])[] = [
    ['explore', `${url}/explore/${key}`],
    ['reference', `${url}/docs/${key}`],
    ['status', `${url}/status/${key}`],
    ['problems', `${url}/problems/`],
    ['health', `${url}/health/ready`],
    ['interface', `${url}/deals/v1/products/`],
    ...(metricsUrl === undefined ? [] : [['metrics', metricsUrl] as const]),
  ];
  return addresses.map(([name, address]) => `  ${name.padEnd(9)}  ${address}`);
}
