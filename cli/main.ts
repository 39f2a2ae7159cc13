#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { Output } from './output.ts';
import { runCommand } from './run-command.ts';

// What the environment sets already beats `.env`.
if (existsSync('.env')) process.loadEnvFile('.env');

const output = new Output(process.stdout, process.stderr, process.env);
process.exitCode = await runCommand(process.argv.slice(2), output, () => new Date());
