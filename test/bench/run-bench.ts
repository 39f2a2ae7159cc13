import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isScale, ROOT, SCALES, type BenchData, type Scale } from './bench-data.ts';
import { CASES, type BenchCase } from './case-list.ts';
import { prepareFolder, prepareSources, prepareStore } from './prepare-data.ts';
import { formatTable, writeTable, type BenchLine, type CaseOutcome } from './report-lines.ts';

const HELP = `npm run bench -- [options]

  --only <case>    run this case alone; may be repeated: ${CASES.map(({ name }) => name).join(', ')}
  --scale <scale>  ${SCALES.join(' or ')}; small runs everything in seconds, and its figures mean nothing
  --write          write the table into test/measurements.md
  --data <folder>  where sources and stores lie, and are found again (default: dist/bench)
  --compiled       take dist/js as it is
  --clean          remove them at the end
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    scale: { type: 'string', default: 'full' },
    write: { type: 'boolean', default: false },
    data: { type: 'string', default: join(ROOT, 'dist/bench') },
    compiled: { type: 'boolean', default: false },
    clean: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else process.exitCode = await runBench();

async function runBench(): Promise<number> {
  const { only, scale } = values;
  const unknown = (only ?? []).filter((name) => !CASES.some((each) => each.name === name));
  if (!isScale(scale) || unknown.length > 0) {
    process.stderr.write(`expected a known case and scale, got ${[...unknown, scale].join(', ')}\n\n${HELP}`);
    return 2;
  }
  if (!values.compiled) compile();
  const base = resolve(values.data);
  const data = await prepareFolder(base, scale);
  const outcomes: CaseOutcome[] = [];
  for (const each of CASES.filter(({ name }) => only === undefined || only.includes(name))) {
    outcomes.push(await runCase(each, data, scale));
  }
  process.stdout.write(`\n${formatTable(outcomes)}\n`);
  if (values.write) writeTable(outcomes);
  if (values.clean) await rm(base, { recursive: true, force: true });
  const isComplete = outcomes.every(({ fault }) => fault === undefined);
  return isComplete ? 0 : 1;
}

function compile(): void {
  say('compiling');
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  const { status, stdout } = spawnSync(compiler, ['-p', join(ROOT, 'tsconfig.json')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`expected the program to compile:\n${stdout}`);
}

/** A case that fails is a line of its own; the others are run all the same. */
async function runCase({ name, stores, sources = [] }: BenchCase, data: BenchData, scale: Scale): Promise<CaseOutcome> {
  const start = performance.now();
  try {
    for (const store of stores) {
      if (!existsSync(`${data.store(store)}.ready`)) say(`preparing ${store}`);
      await prepareStore(data, scale, store);
    }
    for (const source of sources) await prepareSources(data, scale, source);
    const prepared = performance.now();
    const lines = await measureCase(name, data, scale);
    say(`${name}: ${seconds(prepared - start)} s to prepare, ${seconds(performance.now() - prepared)} s to run`);
    return { name, lines };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    say(`${name}: ${fault}`);
    return { name, lines: [], fault };
  }
}

function measureCase(name: string, data: BenchData, scale: Scale): Promise<readonly BenchLine[]> {
  const file = join(import.meta.dirname, 'case', `${name}.ts`);
  const child = spawn(process.execPath, ['--import', 'tsx', file, '--data', data.folder, '--scale', scale], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const last = stdout.trimEnd().split('\n').at(-1) ?? '';
      if (code !== 0 || !last.startsWith('{')) reject(new Error(`ended with ${code}: ${stderr.trim().slice(-1_500)}`));
      else settle((JSON.parse(last) as { readonly lines: readonly BenchLine[] }).lines);
    });
  });
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
