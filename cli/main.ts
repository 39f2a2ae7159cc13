#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { EXIT, readVersion, VERSION_FLAGS } from './console/command.ts';
import { openStdout, Output } from './console/output.ts';

// The environment beats `.env`.
if (existsSync('.env')) process.loadEnvFile('.env');

const output = new Output(openStdout(), process.stderr, process.env);
// The last write may fail after the command has ended.
process.on('exit', () => {
  if (output.writeError !== undefined && process.exitCode === EXIT.ok) process.exitCode = EXIT.failed;
});

const words = process.argv.slice(2);
if (VERSION_FLAGS.includes(words[0] ?? '')) {
  output.result(`${readVersion()}\n`);
  process.exitCode = EXIT.ok;
} else {
  // Loaded only here: `deals --version` needs neither commander nor a command.
  const { runCommand } = await import('./program.ts');
  process.exitCode = await runCommand(words, output, () => new Date());
}
