#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { EXIT } from './console/command.ts';
import { Output } from './console/output.ts';
import { runCommand } from './program.ts';

// What the environment sets already beats `.env`.
if (existsSync('.env')) process.loadEnvFile('.env');

const output = new Output(process.stdout, process.stderr, process.env);
// What was written last may turn out to be lost when the command has ended.
process.on('exit', () => {
  if (output.writeError !== undefined && process.exitCode === EXIT.ok) process.exitCode = EXIT.failed;
});
process.exitCode = await runCommand(process.argv.slice(2), output, () => new Date());
