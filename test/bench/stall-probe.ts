/** What a server says of its event loop when it is asked: how long, at most, it attended to nothing else. */
interface Stall {
  readonly stallMs: number;
}

/** Runs inside the server beside its own code, and answers SIGUSR2 with a line on stderr; every answer begins again. */
const PROBE = `
import { monitorEventLoopDelay } from 'node:perf_hooks';
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('SIGUSR2', () => {
  process.stderr.write(JSON.stringify({ stallMs: delay.max / 1e6 }) + '\\n');
  delay.reset();
});
`;

/** For Node, so that it runs the probe before anything else. */
export const PROBE_ARGS: readonly string[] = ['--import', `data:text/javascript,${encodeURIComponent(PROBE)}`];

/** The stall in a line of the server's stderr, if it is one of the probe's. */
export function readStall(line: string): number | undefined {
  if (!line.startsWith('{"stallMs"')) return undefined;
  return (JSON.parse(line) as Stall).stallMs;
}
