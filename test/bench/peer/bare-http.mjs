import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

// `node bare-http.mjs <answer.json> <body>`: the least that node:http can do: one answer from memory, regardless of what is asked,
// and 304 where `If-None-Match` is its tag. answer.json is `{ headers, notModifiedHeaders, tag }`, headers as flat lists.

const [answerFile = '', bodyFile = ''] = process.argv.slice(2);
const { headers, notModifiedHeaders, tag } = JSON.parse(readFileSync(answerFile, 'utf8'));
const body = readFileSync(bodyFile);

const server = createServer((request, response) => {
  if (request.headers['if-none-match'] === tag) {
    response.writeHead(304, notModifiedHeaders);
    response.end();
    return;
  }
  response.writeHead(200, headers);
  response.end(body);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}`);
});
