import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

/** A port of this machine on which no program listens. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until a program listens on a port. @param check - throws when the program has ended */
export async function untilListening(port: number, check: () => void = () => undefined): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await isListening(port))) {
    check();
    if (Date.now() > deadline) throw new Error(`no program listens on port ${port} after 20 s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket
      .on('error', () => resolve(false))
      .on('connect', () => {
        resolve(true);
        socket.destroy();
      });
  });
}
