import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PullStateReader } from '../../data/store/pull-state.ts';
import { describeError, type Log } from '../log.ts';
import { listen } from '../http/connections.ts';
import { NO_SNIFF } from '../http/headers.ts';
import { collectMetrics, type MetricSources } from './collect-metrics.ts';
import { EventLoopDelay } from './counters.ts';
import { LastBuildReader } from '../status/last-build.ts';
import { METRICS_MEDIA_TYPE, writeMetrics } from './prometheus.ts';

/** Only programs of this machine. */
const METRICS_HOST = '127.0.0.1';
/** Prometheus needs one. */
const MAX_CONNECTIONS = 64;

export interface MetricsServer {
  /** `http://127.0.0.1:<port>/metrics` */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Answers `/metrics`, and nothing else, on a loopback port of its own (D19).
 * @param limits those of slow clients, as on the public port
 * @throws {Error} with `code` `EADDRINUSE` and the like when the port cannot be had
 */
export async function startMetricsServer(
  port: number,
  limits: ServerOptions,
  from: Omit<MetricSources, 'delay' | 'lastBuild' | 'pull'>,
  log: Log,
): Promise<MetricsServer> {
  const delay = new EventLoopDelay();
  const sources = { ...from, delay, lastBuild: new LastBuildReader(from.store), pull: new PullStateReader(from.store) };
  const server = createServer(limits, (req, res) => {
    respond(req, res, sources).catch((error: unknown) => {
      log({ event: 'metrics-failed', cause: describeError(error) });
      if (res.headersSent) res.destroy();
      else end(res, 500, {});
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  try {
    await listen(server, port, METRICS_HOST);
  } catch (error) {
    delay.close();
    throw error;
  }
  server.on('error', (error) => log({ event: 'server-error', cause: describeError(error) }));
  const url = `http://${METRICS_HOST}:${(server.address() as AddressInfo).port}/metrics`;
  return {
    url,
    close: () => {
      delay.close();
      return close(server);
    },
  };
}

async function respond(req: IncomingMessage, res: ServerResponse, sources: MetricSources): Promise<void> {
  if (req.url !== '/metrics') {
    end(res, 404, {});
  } else if (req.method !== 'GET' && req.method !== 'HEAD') {
    end(res, 405, { Allow: 'GET, HEAD' });
  } else {
    const body = writeMetrics(await collectMetrics(sources));
    const headers = { 'Content-Type': METRICS_MEDIA_TYPE, 'Content-Length': String(Buffer.byteLength(body)) };
    end(res, 200, headers, req.method === 'HEAD' ? undefined : body);
  }
}

function end(res: ServerResponse, status: number, headers: Readonly<Record<string, string>>, body?: string): void {
  res.writeHead(status, { ...headers, 'Cache-Control': 'no-store', [NO_SNIFF.name]: NO_SNIFF.value }).end(body);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
