#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { EXIT } from './console/command.ts';
import { openStdout, Output } from './console/output.ts';
import { runCommand } from './program.ts';

// The environment beats `.env`.
if (existsSync('.env')) process.loadEnvFile('.env');

const output = new Output(openStdout(), process.stderr, process.env);
// The last write may fail after the command has ended.
process.on('exit', () => {
  if (output.writeError !== undefined && process.exitCode === EXIT.ok) process.exitCode = EXIT.failed;
});
process.exitCode = await runCommand(process.argv.slice(2), output, () => new Date());
