import { get } from 'node:http';

/**
 * Reads one answer to its end in a process of its own, so that the one that measures others' answers is not busy with it:
 * `read-whole.ts <url> <key>` prints when the first byte came and how many there were.
 */
const [url = '', key = ''] = process.argv.slice(2);
// One request before, for a connection and warm code.
await read(new URL('/health/ready', url).href);
process.stdout.write(`${JSON.stringify(await read(url))}\n`);

function read(target: string): Promise<{ status: number; firstByteMs: number; totalMs: number; byteCount: number }> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const headers = { 'x-api-key': key, 'accept-encoding': 'identity' };
    get(target, { headers }, (response) => {
      let firstByteMs: number | undefined;
      let byteCount = 0;
      response.on('data', (chunk: Buffer) => {
        firstByteMs ??= performance.now() - start;
        byteCount += chunk.length;
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          firstByteMs: firstByteMs ?? 0,
          totalMs: performance.now() - start,
          byteCount,
        }),
      );
    }).on('error', reject);
  });
}
