import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTATIONS } from './mutation.ts';
import { describeOutcome, describeSummary, runMutations } from './run.ts';

/** Runs mutations over a compiled program: `tsx test/real/mutations/run-mutations.ts --deals dist/js/cli/main.js`. */
const { values } = parseArgs({
  options: {
    deals: { type: 'string', default: 'dist/js/cli/main.js' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    all: { type: 'boolean', default: false },
    spawn: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const only = new RegExp(values.only ?? '', 'u');
const folder = mkdtempSync(join(tmpdir(), 'mutations-'));
const outcomes = await runMutations({
  program: resolve(values.deals),
  isSpawned: values.spawn,
  mutations: MUTATIONS.filter(({ name, world, feed }) => only.test(`${world} ${feed} ${name}`)),
  seed: Number(values.seed),
  jobs: Math.min(2, Number(values.jobs)),
  folder,
  report: (outcome) => {
    if (values.all || outcome.failures.length > 0) process.stdout.write(`${describeOutcome(outcome)}\n`);
  },
});
process.stdout.write(`\n${describeSummary(outcomes)}\n`);
if (values.keep) process.stdout.write(`kept in ${folder}\n`);
else rmSync(folder, { recursive: true });
process.exitCode = outcomes.some(({ failures }) => failures.length > 0) ? 1 : 0;
