import { Agent, get, type IncomingMessage } from 'node:http';

/** An answer as a client saw it. */
export interface SeenAnswer {
  readonly status: number;
  readonly snapshot: string;
  readonly link: string;
  readonly body: string;
  /** Milliseconds since the epoch at which it had been read to its end. */
  readonly at: number;
}

/** Clients that ask without a pause, each on a connection that stays open. */
export interface SteadyClients {
  /** Everything that was answered so far, in order. */
  readonly answers: readonly SeenAnswer[];
  /** What was not answered: broken and refused connections, bodies cut short. */
  readonly failures: readonly string[];
  /** Lets what is under way end. */
  stop(): Promise<void>;
}

/** Lets `count` clients ask one after the other for what `next` says; `take` sees each answer before. */
export function startClients(
  count: number,
  key: string,
  next: (client: number) => string,
  take: (client: number, answer: SeenAnswer) => void = () => {},
): SteadyClients {
  const answers: SeenAnswer[] = [];
  const failures: string[] = [];
  const stopping = new AbortController();
  const run = async (client: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!stopping.signal.aborted) {
      const url = next(client);
      try {
        const answer = await ask(url, key, agent);
        answers.push(answer);
        take(client, answer);
      } catch (error) {
        failures.push(`${url}: ${String(error)}`);
      }
    }
    agent.destroy();
  };
  const running = Array.from({ length: count }, (_, client) => run(client));
  return {
    answers,
    failures,
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** One answer, read to its end. */
function ask(url: string, key: string, agent: Agent): Promise<SeenAnswer> {
  return new Promise((resolve, reject) => {
    const onAnswer = (answer: IncomingMessage): void => {
      let body = '';
      answer.setEncoding('latin1').on('data', (text: string) => (body += text));
      answer.on('error', reject);
      answer.on('close', () => {
        if (!answer.complete) reject(new Error('cut short'));
        const snapshot = String(answer.headers['x-snapshot'] ?? '');
        const link = String(answer.headers.link ?? '');
        resolve({ status: answer.statusCode ?? 0, snapshot, link, body, at: Date.now() });
      });
    };
    get(url, { headers: { 'x-api-key': key }, agent }, onAnswer).on('error', reject);
  });
}
