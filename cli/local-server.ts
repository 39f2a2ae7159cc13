import type { ServerSettings } from '../server/settings.ts';
import { startServer, type RunningServer, type StartOptions } from '../server/start.ts';
import { Option } from 'commander';
import { parseWholeNumber } from './option.ts';
import { DEFAULT_PORT } from './serve.ts';

/** How many ports are tried after the first. */
const OTHER_PORTS = 20;

/** The port of a server for one person, who does not mind which it is. */
export function localPortOption(): Option {
  return new Option('-p, --port <number>', 'the port to listen on; the next one that is free if it is taken')
    .default(DEFAULT_PORT)
    .argParser(parseWholeNumber(0, 65_535 - OTHER_PORTS));
}

/** What is set of such a server: pages of this machine may call it, as a front end under development does. */
export function localSettings(corsOrigins: readonly string[]): Partial<ServerSettings> {
  return { corsOrigins: ['localhost', ...corsOrigins] };
}

/** Starts a server on the port, or on one of the next when it is taken. */
export async function startOnFreePort(options: StartOptions, othersLeft = OTHER_PORTS): Promise<RunningServer> {
  try {
    return await startServer(options);
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken || othersLeft === 0) throw error;
    return startOnFreePort({ ...options, port: options.port + 1 }, othersLeft - 1);
  }
}
