import { join } from 'node:path';
import { Command, Option } from 'commander';
import { addKey, removeKeys } from '../server/key/key-file.ts';
import { checkPeriod } from '../server/key/key-ring.ts';
import { describeAddresses } from './address.ts';
import { build } from './build.ts';
import type { Context } from './context.ts';
import { createLog } from './create-log.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { localPortOption, startOnFreePort } from './local-server.ts';
import { DEFAULT_STORE, describeExamples, parseText } from './option.ts';
import { findPackageRoot } from './package-root.ts';
import { DEFAULT_HOST, runUntilStopped } from './serve.ts';

const DEMO_KEYS = 'dist/demo-keys.json';

/** A key of the demo can be used in other terminals for a while, and is then cleared away. */
const DEMO_KEY_DAYS = 30;

interface DemoOptions {
  readonly store: string;
  readonly config: string;
  readonly port: number;
}

/**
 * `deals demo`: everything at once, for a first look. It takes nothing from the environment, which may name the store of
 * a real site.
 */
export function createDemoCommand(context: Context): Command {
  return new Command('demo')
    .description('build the sample catalogue, make a key for it, and serve it on this machine')
    .addOption(
      new Option('-c, --config <file>', 'the configuration of the build')
        .default(join(findPackageRoot(), 'data/sample/catalogue.json'), 'the sample')
        .argParser(parseText),
    )
    .addOption(
      new Option('-s, --store <folder>', 'where the snapshot is published').default(DEFAULT_STORE).argParser(parseText),
    )
    .addOption(localPortOption())
    .addHelpText('after', describeExamples('deals demo', 'deals demo --port 9000'))
    .action(async (options: DemoOptions) => context.end(await demo(context, options)));
}

async function demo(context: Context, { store, config, port }: DemoOptions): Promise<ExitCode> {
  const exitCode = await build(context, { store, config });
  if (exitCode !== EXIT.ok && exitCode !== EXIT.attention) return exitCode;
  const keyText = await createDemoKey(context.now());
  const server = await startOnFreePort({
    store,
    keysFile: DEMO_KEYS,
    host: DEFAULT_HOST,
    port,
    log: createLog(),
  });
  await runUntilStopped(server, () => context.output.result(describeDemo(server.url, keyText)));
  return EXIT.ok;
}

/** Makes a new key at every start: what is stored of the last one does not tell what it was (D16). */
async function createDemoKey(now: Date): Promise<string> {
  const until = new Date(now.getTime() + DEMO_KEY_DAYS * 86_400_000);
  const { keyText } = await addKey(DEMO_KEYS, { name: 'demo', until, operator: true }, now);
  await removeKeys(DEMO_KEYS, (entry) => checkPeriod(entry, now).kind === 'expired');
  return keyText;
}

function describeDemo(url: string, keyText: string): string {
  const target = '/deals/v1/products/?filter[condition]=eq{new}&expand=products(cheapestDeal)&limit=2';
  return `
The catalogue is served at ${url} until you press Ctrl-C. To look around:

${describeAddresses({ url, keyText }).join('\n')}

Ask it for two new phones and their cheapest deals:

  curl -g -H 'x-api-key: ${keyText}' '${url}${target}'
`;
}
