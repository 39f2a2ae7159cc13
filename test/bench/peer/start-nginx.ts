import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startServer, type Server } from '../server-process.ts';
import { readResponse } from '../read-response.ts';
import { headersOfResponse, type SampleResponse } from './start-bare.ts';

/** nginx writes these itself, from the file. */
const FILE_HEADERS = ['content-type', 'content-length', 'etag'];

/** Whether there is an nginx to compare with. */
export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).error === undefined;
}

/** Starts nginx, one worker, without a log, with the body of `sample` as a file, and makes sure that it sends it. */
export async function startNginx(sample: SampleResponse, folder: string): Promise<Server> {
  const port = await findPort();
  const files = join(folder, 'files');
  await mkdir(files, { recursive: true, mode: 0o755 });
  await writeFile(join(files, 'answer.json'), sample.full.body);
  const config = join(folder, 'nginx.conf');
  await writeFile(config, writeConfig(sample, folder, port));
  const url = `http://127.0.0.1:${port}`;
  // nginx does not say when it is ready: the shell does, once it has bound the port, which is when it forks.
  const server = await startServer({
    command: '/bin/sh',
    args: ['-c', `echo "${url} "; exec nginx -c "${config}" -p "${folder}" -e "${join(folder, 'nginx.log')}"`],
  });
  await untilAnswering(url);
  const { body } = await readResponse(url);
  if (!body.equals(sample.full.body)) throw new Error('nginx: expected the bytes of the server');
  return server;
}

function writeConfig({ full }: SampleResponse, folder: string, port: number): string {
  const added = headersOfResponse(full).filter(([name]) => !FILE_HEADERS.includes(name.toLowerCase()));
  // Workers would change to a user who cannot read the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  open_file_cache max=10;
  keepalive_requests 100000000;
  default_type application/json;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    root ${folder}/files;
    ${added.map(([name, value]) => `add_header ${name} '${value.replaceAll("'", "\\'")}';`).join('\n    ')}
    location / { rewrite ^ /answer.json break; }
  }
}
`;
}

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilAnswering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const isThere = await readResponse(url).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nginx: expected an answer at ${url} within 5 s, got none`);
}
