import { describe, expect, it } from 'vitest';
import { formatTable, Output, type OutputStream } from '../../../../cli/console/output.ts';

const ESCAPE = '\u001B';

interface Recorded extends OutputStream {
  text: string;
  fail(error: Error): void;
}

function record(isTTY: boolean): Recorded {
  const listeners: ((error: Error) => void)[] = [];
  return {
    isTTY,
    text: '',
    write(text) {
      this.text += String(text);
    },
    on: (_, listener) => listeners.push(listener),
    fail: (error) => listeners.forEach((listener) => listener(error)),
  };
}

function writeAll(output: Output): void {
  output.progress('reading');
  output.progress('writing');
  output.message('published');
  output.result('{}\n');
  output.error('the disk is full');
}

describe('output', () => {
  it('under cron is plain lines: results on stdout, all else on stderr', () => {
    const [stdout, stderr] = [record(false), record(false)];
    writeAll(new Output(stdout, stderr, {}));
    expect(stdout.text).toBe('{}\n');
    expect(stderr.text).toBe('reading\nwriting\npublished\ndeals: the disk is full\n');
  });

  it('on a terminal has one line of progress that gives way to what follows', () => {
    const [stdout, stderr] = [record(true), record(true)];
    writeAll(new Output(stdout, stderr, {}));
    const clear = `\r${ESCAPE}[2K`;
    expect(stdout.text).toBe('{}\n');
    expect(stderr.text).toBe(
      `${clear}${ESCAPE}[2mreading${ESCAPE}[22m${clear}${ESCAPE}[2mwriting${ESCAPE}[22m${clear}published\n${ESCAPE}[31mdeals:${ESCAPE}[39m the disk is full\n`,
    );
  });

  it.each([
    ['NO_COLOR', { NO_COLOR: '1' }, true],
    ['a terminal that knows no codes', { TERM: 'dumb' }, true],
    ['FORCE_COLOR without a terminal', { FORCE_COLOR: '1' }, false],
  ])('has no colour with %s', (_, environment, isTTY) => {
    const stderr = record(isTTY);
    new Output(record(isTTY), stderr, environment).error('the disk is full');
    expect(stderr.text).toBe('deals: the disk is full\n');
  });

  it('drops what follows when its reader has gone, and goes on writing to the other stream', () => {
    const [stdout, stderr] = [record(false), record(false)];
    const output = new Output(stdout, stderr, {});
    output.result('first\n');
    stdout.fail(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    output.result('second\n');
    output.message('done');
    expect(stdout.text).toBe('first\n');
    expect(stderr.text).toBe('done\n');
  });

  it('says that a result cannot be written, and drops what follows', () => {
    const [stdout, stderr] = [record(false), record(false)];
    const output = new Output(stdout, stderr, {});
    stdout.fail(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
    output.result('second\n');
    expect(stdout.text).toBe('');
    expect(stderr.text).toBe(
      'deals: stdout cannot be written: ENOSPC: no space left on device, write; what the command has done stays done\n',
    );
    expect(output.writeError?.message).toContain('ENOSPC');
  });

  it.each([
    ['on a terminal', true],
    ['in a pipe, which a terminal may be at the end of,', false],
  ])('%s shows control characters, regardless of what they came in, and keeps lines', (_, isTTY) => {
    const [stdout, stderr] = [record(isTTY), record(isTTY)];
    const output = new Output(stdout, stderr, { NO_COLOR: '1' });
    output.result(`a${ESCAPE}[2J\nb\u009b\u200f\n`);
    output.message(`c\u202e\nd`);
    output.error(`e\u0007`);
    expect(stdout.text).toBe('a\\u001b[2J\nb\\u009b\\u200f\n');
    expect(stderr.text).toBe('c\\u202e\nd\ndeals: e\\u0007\n');
  });
});

it('a table sets words to the left and numbers to the right', () => {
  const rows = [
    ['deals.ndjson', 1200, 'large'],
    ['gifts', 20, ''],
    ['none', '', ''],
  ];
  expect(formatTable(['file', 'bytes', 'note'], rows)).toEqual([
    'file          bytes  note',
    'deals.ndjson   1200  large',
    'gifts            20',
    'none',
  ]);
  expect(formatTable(['id', 'name'], [])).toEqual(['id  name']);
});
