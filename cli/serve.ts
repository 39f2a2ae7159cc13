import { once } from 'node:events';
import { Command, InvalidArgumentError, Option } from 'commander';
import { HOUR_MS } from '../data/record/amount.ts';
import { MAX_DEALS_PER_PRODUCT } from '../data/query/parameter.ts';
import { MAX_GRACE_SECONDS } from '../data/store/layout.ts';
import { findRateLimit, type RateLimit } from '../server/keys/rate-limit.ts';
import type { Log } from '../server/log.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from '../server/settings.ts';
import { startServer, type RunningServer, type StartOptions } from '../server/start.ts';
import { CommandError, EXIT, type Context, type ExitCode } from './console/command.ts';
import { describeSystemError, isPortError, type SystemError } from './console/errors.ts';
import { createLog } from './console/log.ts';
import {
  configOption,
  describeExamples,
  keysOption,
  parseDurationMs,
  parseText,
  parseWholeNumber,
  requireStore,
  storeOption,
  type StoreOptions,
} from './console/options.ts';
import { formatLines } from './console/output.ts';

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 8080;

const BYTES_PER_MEGABYTE = 1_000_000;

interface ServeOptions extends StoreOptions, SettingOptions {
  readonly host: string;
  readonly port: number;
  readonly metricsPort?: number;
  readonly keys: string;
  readonly publicUrl?: string;
}

/** The settable figures. Durations are in milliseconds. */
interface SettingOptions {
  readonly pageLimit: number;
  readonly maxPageLimit: number;
  readonly maxDeals?: number;
  readonly maxAge: number;
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
  readonly grace: number;
  readonly answerCache: number;
  readonly maxSnapshotMegabytes: number;
  readonly accessLog: 'on' | 'off';
  readonly staleAfter: number;
  readonly corsOrigin: readonly string[];
  readonly rateLimit?: RateLimit;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly loadShedding: 'on' | 'off';
}

/** `deals serve`: answers the interface until it is told to stop. */
export function createServeCommand(context: Context): Command {
  const command = new Command('serve')
    .description(
      'answer the interface from the current snapshot of the store, and take up new ones as they are published',
    )
    .addOption(storeOption())
    .addOption(configOption())
    .addOption(keysOption().makeOptionMandatory())
    .addOption(hostOption())
    .addOption(portOption())
    .addOption(
      new Option('--metrics-port <number>', 'a port of 127.0.0.1 for /metrics; 0 for any that is free (default: none)')
        .env('DEALS_METRICS_PORT')
        .argParser(parseWholeNumber(0, 65_535)),
    )
    .addOption(publicUrlOption());
  for (const option of settingOptions()) command.addOption(option);
  return command
    .addHelpText(
      'after',
      describeExamples(
        'deals serve --store dist/catalogue --keys dist/keys.json',
        'deals serve --store dist/catalogue --keys dist/keys.json --port 0 --max-page-limit 50 --max-age 5m',
      ),
    )
    .action(async (options: ServeOptions) => context.end(await serve(context, options)));
}

export function hostOption(): Option {
  return new Option('-H, --host <address>', 'the address to listen on')
    .env('DEALS_HOST')
    .default(DEFAULT_HOST)
    .argParser(parseText);
}

export function portOption(): Option {
  return new Option('-p, --port <number>', 'the port to listen on; 0 for any that is free')
    .env('DEALS_PORT')
    .default(DEFAULT_PORT)
    .argParser(parseWholeNumber(0, 65_535));
}

export function staleAfterOption(): Option {
  const { staleAfterHours } = DEFAULT_SETTINGS;
  return new Option(
    '--stale-after <duration>',
    'the age, or the time since a build confirmed it, at which a snapshot is called stale',
  )
    .env('DEALS_STALE_AFTER')
    .default(staleAfterHours * HOUR_MS, `${staleAfterHours}h`)
    .argParser(parseDurationMs);
}

export function corsOriginOption(): Option {
  return new Option(
    '--cors-origin <origin>',
    'an origin whose pages may call from a browser, localhost for pages of this machine, or *; repeat it, or use commas',
  )
    .env('DEALS_CORS_ORIGIN')
    .default([], 'none')
    .argParser(collectOrigins);
}

export function publicUrlOption(): Option {
  return new Option('--public-url <url>', 'what goes before the paths of pictures (default: the address of the server)')
    .env('DEALS_PUBLIC_URL')
    .argParser(parsePublicUrl);
}

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
  const settings = toSettings(options);
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

function settingOptions(): readonly Option[] {
  const { defaultPageLimit, maxPageLimit, maxAgeSeconds, graceSeconds } = DEFAULT_SETTINGS;
  const { staleWhileRevalidateSeconds, staleIfErrorSeconds, answerCacheBytes, maxSnapshotBytes } = DEFAULT_SETTINGS;
  return [
    new Option('--page-limit <number>', 'products of a page when the request does not say')
      .env('DEALS_PAGE_LIMIT')
      .default(defaultPageLimit)
      .argParser(parseWholeNumber(1, 10_000)),
    new Option('--max-page-limit <number>', 'the most products that a request may ask for')
      .env('DEALS_MAX_PAGE_LIMIT')
      .default(maxPageLimit)
      .argParser(parseWholeNumber(1, 10_000)),
    new Option('--max-deals <number>', 'the most deals of one answer (default: no ceiling)')
      .env('DEALS_MAX_DEALS')
      .argParser(parseWholeNumber(MAX_DEALS_PER_PRODUCT, 100_000_000)),
    new Option('--max-age <duration>', 'how long a client may keep an answer')
      .env('DEALS_MAX_AGE')
      .default(maxAgeSeconds * 1_000, `${maxAgeSeconds}s`)
      .argParser(parseDurationMs),
    new Option('--stale-while-revalidate <duration>', 'how long it may use an older one while it asks again')
      .env('DEALS_STALE_WHILE_REVALIDATE')
      .default(staleWhileRevalidateSeconds * 1_000, `${staleWhileRevalidateSeconds / 60}m`)
      .argParser(parseDurationMs),
    new Option('--stale-if-error <duration>', 'how long it may use an older one while the server does not answer')
      .env('DEALS_STALE_IF_ERROR')
      .default(staleIfErrorSeconds * 1_000, `${staleIfErrorSeconds / 3_600}h`)
      .argParser(parseDurationMs),
    new Option('--grace <duration>', 'how long a page walk may go on over the snapshot before the current one')
      .env('DEALS_GRACE')
      .default(graceSeconds * 1_000, `${graceSeconds / 60}m`)
      .argParser(parseGraceMs),
    new Option('--answer-cache <megabytes>', 'memory for hot answers; 0 keeps none')
      .env('DEALS_ANSWER_CACHE')
      .default(answerCacheBytes / BYTES_PER_MEGABYTE)
      .argParser(parseWholeNumber(0, 100_000)),
    new Option('--max-snapshot-megabytes <megabytes>', 'a snapshot whose served files have more is refused')
      .env('DEALS_MAX_SNAPSHOT_MEGABYTES')
      .default(maxSnapshotBytes / BYTES_PER_MEGABYTE)
      .argParser(parseWholeNumber(1, 100_000)),
    new Option('--access-log <on|off>', 'whether to log every request')
      .env('DEALS_ACCESS_LOG')
      .choices(['on', 'off'])
      .default('on'),
    staleAfterOption(),
    corsOriginOption(),
    new Option(
      '--rate-limit <requests/duration>',
      'what each key may ask without a limit of its own, such as 600/1m (default: no limit)',
    )
      .env('DEALS_RATE_LIMIT')
      .argParser(parseRateLimit),
    new Option('--max-connections <number>', 'connections at one time; any more are closed as they come')
      .env('DEALS_MAX_CONNECTIONS')
      .default(DEFAULT_SETTINGS.maxConnections)
      .argParser(parseWholeNumber(1, 1_000_000)),
    new Option(
      '--max-connections-per-address <number>',
      'the same from one address (of IPv6: one /64 network), other than those of this machine',
    )
      .env('DEALS_MAX_CONNECTIONS_PER_ADDRESS')
      .default(DEFAULT_SETTINGS.maxConnectionsPerAddress)
      .argParser(parseWholeNumber(1, 1_000_000)),
    new Option('--load-shedding <on|off>', 'whether requests get 503 while more arrive than can be answered')
      .env('DEALS_LOAD_SHEDDING')
      .choices(['on', 'off'])
      .default('on'),
  ];
}

function toSettings(options: SettingOptions): ServerSettings {
  if (options.pageLimit > options.maxPageLimit) {
    throw new CommandError(
      EXIT.usage,
      `--page-limit: expected at most --max-page-limit ${options.maxPageLimit}, got ${options.pageLimit}`,
    );
  }
  return {
    defaultPageLimit: options.pageLimit,
    maxPageLimit: options.maxPageLimit,
    ...(options.maxDeals === undefined ? {} : { maxDealsPerAnswer: options.maxDeals }),
    maxAgeSeconds: options.maxAge / 1_000,
    staleWhileRevalidateSeconds: options.staleWhileRevalidate / 1_000,
    staleIfErrorSeconds: options.staleIfError / 1_000,
    graceSeconds: options.grace / 1_000,
    answerCacheBytes: options.answerCache * BYTES_PER_MEGABYTE,
    maxSnapshotBytes: options.maxSnapshotMegabytes * BYTES_PER_MEGABYTE,
    accessLog: options.accessLog === 'on',
    staleAfterHours: options.staleAfter / HOUR_MS,
    corsOrigins: options.corsOrigin,
    maxConnections: options.maxConnections,
    maxConnectionsPerAddress: options.maxConnectionsPerAddress,
    shedsLoad: options.loadShedding === 'on',
    ...(options.rateLimit === undefined ? {} : { rateLimit: options.rateLimit }),
  };
}

function parseGraceMs(text: string): number {
  const graceMs = parseDurationMs(text);
  if (graceMs <= MAX_GRACE_SECONDS * 1_000) return graceMs;
  throw new InvalidArgumentError(
    `Expected at most ${MAX_GRACE_SECONDS / 60}m, since builds delete what was current an hour ago.`,
  );
}

function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('Expected an http or https URL without a query, such as https://deals.example.com.');
  }
  let end = text.length;
  while (text.endsWith('/', end)) end--;
  return text.slice(0, end);
}

function parseRateLimit(text: string): RateLimit {
  const limit = findRateLimit(text);
  if (limit === undefined) {
    throw new InvalidArgumentError('Expected requests per duration up to 24h, such as 600/1m or 10/1s.');
  }
  return limit;
}

function collectOrigins(text: string, before: readonly string[]): readonly string[] {
  const origins = text.split(',').map((origin) => origin.trim());
  for (const origin of origins) {
    if (origin !== '*' && origin !== 'localhost' && !(URL.canParse(origin) && new URL(origin).origin === origin)) {
      throw new InvalidArgumentError('Expected an origin such as https://www.example.com, localhost, or *.');
    }
  }
  return [...before, ...origins];
}

/** How many ports are tried after the first. */
const OTHER_PORTS = 20;

/** The port of a local server: any free port will do. */
export function localPortOption(): Option {
  return new Option('-p, --port <number>', 'the port to listen on; the next one that is free if it is taken')
    .default(DEFAULT_PORT)
    .argParser(parseWholeNumber(0, 65_535 - OTHER_PORTS));
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
