import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Runs commands of a compiled program, one after the other, without a start of Node for each.
const folder = dirname(process.argv[2]);
const load = (name) => import(pathToFileURL(join(folder, name)).href);
const [{ runCommand }, { Output }] = await Promise.all([load('program.js'), load('console/output.js')]);

async function run(words) {
  const texts = { stdout: '', stderr: '' };
  const stream = (name) => ({
    columns: 80,
    write: (text, done) => {
      texts[name] += String(text);
      done?.();
    },
    on: () => undefined,
  });
  const status = await runCommand(words, new Output(stream('stdout'), stream('stderr'), {}), () => new Date());
  process.send({ status, ...texts });
}

process.on('message', (words) => void run(words));
