import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** A server in a process of its own. */
export interface Program {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file that gets stderr, where logs go; without one stderr is that of the bench. */
  readonly log?: string;
  /** How long it may take until it tells its address. */
  readonly timeoutMs?: number;
}

/**
 * Starts a server and waits for the address that it prints on stdout.
 * @throws {Error} when it ends first, or takes too long
 */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { command, args, env, log, timeoutMs = 120_000 } = options;
  const stderr = log === undefined ? 'inherit' : openSync(log, 'a');
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', stderr], env: { ...process.env, ...env } });
  if (typeof stderr === 'number') closeSync(stderr);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  const address = new Promise<string>((resolve, reject) => {
    const refuse = (what: string) => {
      const said = log === undefined ? '' : `: ${readFileSync(log, 'utf8').slice(-1000)}`;
      reject(new Error(`${command} ${args.join(' ')}: expected an address, ${what}${said}`));
    };
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const found = /http:\/\/[\w.:]+(?=\/?\s)/.exec(printed)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => refuse(`it ended with ${code ?? signal}`));
    setTimeout(() => refuse(`got none in ${timeoutMs} ms`), timeoutMs).unref();
  });
  try {
    return { url: await address, pid: child.pid as number, stop };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}
