import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startServer, type Server } from '../server-process.ts';
import type { PublishedCatalogue } from './read-catalogue.ts';
import { writeTables, type TableRow } from './write-tables.ts';

const FOLDER = join(import.meta.dirname, 'fastify-sqlite');
const LINES_PER_CHUNK = 1000;

/** What the database of a snapshot is called: another name for other tables, so that an old one is not taken for it. */
export async function nameDatabase({ snapshot }: PublishedCatalogue): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['schema.sql', 'indexes.sql']) hash.update(await readFile(join(FOLDER, file)));
  return `${snapshot}-${hash.digest('hex').slice(0, 8)}.sqlite`;
}

/** Makes the database of Fastify from a snapshot. */
export async function fillSqlite(catalogue: PublishedCatalogue, file: string, publicUrl: string): Promise<void> {
  const child = spawn(process.execPath, [join(FOLDER, 'fill.mjs'), file], { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  await pipeline(Readable.from(writeChunks(writeTables(catalogue, publicUrl))), child.stdin);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`fill.mjs: expected exit code 0, got ${code}`);
}

/** Starts Fastify on a database that `fillSqlite` made. */
export async function startFastify(catalogue: PublishedCatalogue, file: string): Promise<Server> {
  const args = [join(FOLDER, 'serve.mjs'), file, catalogue.dictionaries.currency.label];
  return startServer({ command: process.execPath, args, env: { NODE_ENV: 'production' } });
}

async function* writeChunks(rows: AsyncIterable<TableRow>): AsyncGenerator<string> {
  let lines: string[] = [];
  for await (const row of rows) {
    lines.push(JSON.stringify(row));
    if (lines.length < LINES_PER_CHUNK) continue;
    yield `${lines.join('\n')}\n`;
    lines = [];
  }
  yield lines.map((line) => `${line}\n`).join('');
}
