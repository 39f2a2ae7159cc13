import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTATIONS } from './mutation.ts';
import { describeOutcome, describeSummary, runMutations } from './run.ts';

/** Runs mutations over the compiled program: `tsx test/real/mutations/run-mutations.ts --only '^sample house money'`. */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    all: { type: 'boolean', default: false },
  },
});
const only = new RegExp(values.only, 'u');
const folder = mkdtempSync(join(tmpdir(), 'mutations-'));
const outcomes = await runMutations({
  mutations: MUTATIONS.filter(({ name, world, feed }) => only.test(`${world} ${feed} ${name}`)),
  seed: Number(values.seed),
  jobs: Number(values.jobs),
  folder,
  report: (outcome) => {
    if (values.all || outcome.failures.length > 0) process.stdout.write(`${describeOutcome(outcome)}\n`);
  },
});
process.stdout.write(`\n${describeSummary(outcomes)}\n`);
rmSync(folder, { recursive: true });
process.exitCode = outcomes.some(({ failures }) => failures.length > 0) ? 1 : 0;
