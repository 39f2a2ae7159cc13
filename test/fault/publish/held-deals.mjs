// The compiled command `deals`, started and held at the line: each line on stdin is one command (its words as JSON),
// run as the real one runs it, and one line on stdout is what came of it. A process that waits can be attached to before
// the command begins, so that calls of the start-up need not be told from those of the command.
//
// Names that would be random are counted instead, so that a test knows the paths before they are made.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const command = process.argv[2];
let drawn = 0;
crypto.randomBytes = (size) => {
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32BE(++drawn, size - 4);
  return bytes;
};
syncBuiltinESMExports();

const load = (file) => import(pathToFileURL(join(dirname(command), file)).href);
const { runCommand } = await load('program.js');
const { Output } = await load('console/output.js');
// Everything that a build imports when it is needed is there before the first.
await load('build.js');

process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  drawn = 0;
  const said = { stdout: '', stderr: '' };
  const streamTo = (name) => ({
    write: (text, done) => {
      said[name] += text;
      done?.();
    },
    on: () => {},
  });
  const output = new Output(streamTo('stdout'), streamTo('stderr'), {});
  const exitCode = await runCommand(JSON.parse(line), output, () => new Date());
  process.stdout.write(`${JSON.stringify({ exitCode, ...said })}\n`);
}
