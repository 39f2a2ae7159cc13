import { connect, type Socket } from 'node:net';

/** A reader that asks and then takes nothing: what it is sent stays with the server. */
export function stall(url: string, target: string, key: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.pause();
      socket.write(
        `GET ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nx-api-key: ${key}\r\nAccept-Encoding: identity\r\n\r\n`,
      );
      resolve(socket);
    });
  });
}
