import type { TextResponse } from '../harness.ts';

/** A response as its bytes arrived, for a client that writes them down; the body must not be chunked. */
export function parseResponse(bytes: string): TextResponse {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.slice(0, end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: new Headers(headers), text: bytes.slice(end + 4) };
}
