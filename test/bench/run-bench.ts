import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withBench, type Bench } from './bench.ts';
import { measureBuild } from './case/build.ts';
import { measureFilters } from './case/filters.ts';
import { measureHttp } from './case/http.ts';
import { measureMemory } from './case/memory.ts';
import { measurePeer } from './case/peer.ts';
import { ROOT } from './processes.ts';
import { formatTable, type BenchLine } from './table.ts';

const CASES: Readonly<Record<string, (bench: Bench) => Promise<readonly BenchLine[]>>> = {
  build: measureBuild,
  http: measureHttp,
  filters: measureFilters,
  memory: measureMemory,
  peer: measurePeer,
};

const HELP = `npm run bench -- [options]

  --only <case>    run this case alone; may be repeated: ${Object.keys(CASES).join(', ')}
  --small          run everything in seconds; the figures mean nothing
  --data <folder>  where sources and stores lie, and are found again (default: dist/bench)
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(CASES) },
    small: { type: 'boolean', default: false },
    data: { type: 'string', default: join(ROOT, 'dist/bench') },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else process.exitCode = await runBench();

/** A case that fails says so; the others are run all the same. */
async function runBench(): Promise<number> {
  spawnSync('npm', ['run', '--silent', 'compile'], { cwd: ROOT, stdio: 'inherit' });
  const lines: BenchLine[] = [];
  let exitCode = 0;
  for (const name of values.only) {
    const measure = CASES[name];
    if (measure === undefined) throw new RangeError(`expected a known case, got ${name}\n\n${HELP}`);
    process.stderr.write(`${name}\n`);
    try {
      lines.push(...(await withBench(resolve(values.data), !values.small, measure)));
    } catch (error) {
      process.stderr.write(`${name}: ${String(error)}\n`);
      exitCode = 1;
    }
  }
  process.stdout.write(`${formatTable(lines)}\n`);
  return exitCode;
}
