import { runBuild } from '../../build/run.ts';

// Run as a process of its own, so that time zone, language and working directory are its own too.
const [configPath = '', now = ''] = process.argv.slice(2);
const { outcome, snapshot } = await runBuild({ configPath, now: new Date(now), dryRun: false, accept: [] });
process.stdout.write(`${outcome} ${snapshot}\n`);
