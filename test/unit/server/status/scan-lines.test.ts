import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SnapshotError } from '../../../../data/snapshot/snapshot-error.ts';
import { isLineStart, scanLines, type ListedFile } from '../../../../server/status/snapshot-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'deals-scan-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

const signal = new AbortController().signal;

function write(name: string, text: string): ListedFile {
  const path = join(folder, name);
  writeFileSync(path, text);
  return { store: folder, snapshot: '20261119T0230Z-1c77e0d2', path, bytes: Buffer.byteLength(text) };
}

async function readAll(file: ListedFile, maxBytes?: number): Promise<string[]> {
  const lines: string[] = [];
  let from: number | undefined = 0;
  while (from !== undefined) {
    const options = { from, signal, ...(maxBytes === undefined ? {} : { maxBytes }) };
    from = await scanLines(file, options, (line) => lines.push(line.toString('utf8')) > 0);
  }
  return lines;
}

async function codeOf(scan: Promise<unknown>): Promise<string> {
  const error: unknown = await scan.catch((thrown: unknown) => thrown);
  return error instanceof SnapshotError ? error.details.code : `no SnapshotError: ${String(error)}`;
}

/** Short lines, lines longer than a chunk, empty lines, characters of several bytes. */
const LINES = [
  'first',
  '',
  'x'.repeat(700_000),
  ...Array.from({ length: 20_000 }, (_, i) => `line ${i} £`),
  'y'.repeat(300_000),
];

describe('the lines of a file', () => {
  it.each([
    ['with a last line break', `${LINES.join('\n')}\n`],
    ['without one', LINES.join('\n')],
  ])('are all there, in order, %s', async (_, text) => {
    expect(await readAll(write('whole', text))).toEqual(LINES);
  });

  it.each([1, 1_000, 300_000, 1_000_000])('are the same when they are read in parts of %d bytes', async (maxBytes) => {
    const lines = LINES.slice(0, maxBytes === 1 ? 40 : LINES.length);
    expect(await readAll(write('parts', `${lines.join('\n')}\n`), maxBytes)).toEqual(lines);
  });

  it('are gone on with where it was said that there is enough', async () => {
    const file = write('enough', 'a\nbb\nccc\n');
    const lines: string[] = [];
    const take = (line: Buffer) => lines.push(line.toString()) % 2 === 1;
    const next = await scanLines(file, { signal }, take);
    expect([next, lines]).toEqual([5, ['a', 'bb']]);
    expect(await scanLines(file, { signal, from: 5 }, () => false)).toBeUndefined();
  });

  it('have offsets by which each is found again', async () => {
    const file = write('offsets', 'a\n£b\n\nc');
    const offsets: number[] = [];
    await scanLines(file, { signal }, (_line, offset) => offsets.push(offset) > 0);
    expect(offsets).toEqual([0, 2, 6, 7]);
    const starts = await Promise.all(Array.from({ length: 10 }, (_, offset) => isLineStart(file, offset)));
    expect(starts.flatMap((isStart, offset) => (isStart ? [offset] : []))).toEqual(offsets);
  });

  it('of an empty file are none', async () => {
    expect(await readAll(write('empty', ''))).toEqual([]);
  });
});

describe('a file', () => {
  it('that is gone is that of a snapshot that is no longer there', async () => {
    const file = write('gone', 'a\n');
    rmSync(file.path);
    expect(await codeOf(scanLines(file, { signal }, () => true))).toBe('unknown-snapshot');
    expect(await codeOf(isLineStart(file, 1))).toBe('unknown-snapshot');
  });

  it.each(['a\nb', ''])('of another length is damaged: %j', async (text) => {
    const file = { ...write('damaged', text), bytes: 4 };
    expect(await codeOf(scanLines(file, { signal }, () => true))).toBe('malformed-file');
  });

  it('is not read on when the client is gone', async () => {
    const controller = new AbortController();
    let lines = 0;
    const scan = scanLines(write('left', 'x\n'.repeat(500_000)), { signal: controller.signal }, () => {
      if (lines === 0) controller.abort();
      return ++lines > 0;
    });
    await expect(scan).rejects.toThrow('aborted');
    // No further than the chunk under way.
    expect(lines).toBeLessThan(200_000);
  });
});
