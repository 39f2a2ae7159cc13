import { Command } from 'commander';
import { hashApiKey, isWellFormedKey } from '../server/keys/api-key.ts';
import { addKey, isKeyName, readKeyFile, removeKeys } from '../server/keys/key-file.ts';
import { checkPeriod } from '../server/keys/server-keys.ts';
import { isKeyRateLimit } from '../server/keys/rate-limit.ts';
import { SettingError } from '../server/settings.ts';
import { CommandError, defineCommand, describeExamples, EXIT, type Context, type ExitCode } from './console/command.ts';
import { JSON_RESULT, keysOption, option, parseTime } from './console/options.ts';
import { formatTable } from './console/output.ts';

interface CreateOptions {
  readonly keys: string;
  readonly name: string;
  readonly from?: Date;
  readonly until?: Date;
  readonly rateLimit?: string;
  readonly operator?: true;
}

interface ListOptions {
  readonly keys: string;
  readonly json?: true;
}

/** `deals keys`: creates, lists and revokes API keys (D16). */
export function createKeysCommand(context: Context): Command {
  return new Command('keys')
    .description('make, list and revoke the API keys of a key file')
    .addCommand(createCreateCommand(context))
    .addCommand(createListCommand(context))
    .addCommand(createRevokeCommand(context))
    .addHelpText(
      'after',
      describeExamples(
        'deals keys create --keys dist/keys.json --name website',
        'deals keys list --keys dist/keys.json',
      ),
    );
}

const createCreateCommand = defineCommand<CreateOptions>({
  name: 'create',
  description: 'add a key to the file and print it, once: only its SHA-256 is stored',
  options: [
    keysOption().makeOptionMandatory(),
    option('-n, --name <who>', 'who holds the key; shown in lists and logs').makeOptionMandatory(),
    option('--from <time>', 'valid from this time on; a date means its first moment, UTC', parseTime),
    option('--until <time>', 'valid until this time; a date means its first moment, UTC', parseTime),
    option(
      '--rate-limit <requests/duration>',
      'what the key may ask, in the place of the limit of the server; off for as much as it likes',
      parseKeyRateLimit,
    ),
    option('--operator', 'the key also shows what became of the sources: the page /status/ asks for such a key'),
  ],
  examples: [
    'deals keys create --keys dist/keys.json --name website',
    'deals keys create --keys dist/keys.json --name partner --from 2026-01-01 --until 2999-01-01',
  ],
  run: createKey,
});

const createListCommand = defineCommand<ListOptions>({
  name: 'list',
  description: 'list the keys of the file; the keys themselves are not in it',
  options: [keysOption().makeOptionMandatory(), JSON_RESULT],
  examples: ['deals keys list --keys dist/keys.json', 'deals keys list --keys dist/keys.json --json'],
  run: listKeys,
});

const createRevokeCommand = defineCommand<ListOptions, [key: string]>({
  name: 'revoke',
  description: 'remove a key from the file; a running server no longer takes it within a second or two',
  arguments: [['<key>', 'its id or its name, or the key itself where it leaked']],
  options: [keysOption().makeOptionMandatory()],
  examples: ['deals keys revoke website --keys dist/keys.json', 'deals keys revoke partner --keys dist/keys.json'],
  run: revokeKey,
});

async function createKey(context: Context, options: CreateOptions): Promise<ExitCode> {
  const { keys, name, from, until } = options;
  const now = context.now();
  if (!isKeyName(name)) throw new CommandError('--name: expected 1 to 80 printable characters');
  if (until !== undefined && until <= now) {
    throw new CommandError(`--until: expected a time to come, got ${until.toISOString()}`);
  }
  if (from !== undefined && until !== undefined && until <= from) {
    throw new CommandError(`--until: expected a time after --from ${from.toISOString()}, got ${until.toISOString()}`);
  }
  const { keyText, entry } = await addKey(keys, options, now);
  context.output.result(`${keyText}\n`);
  context.output.message(`${keys}: added the key ${entry.id} of ${name}. It is not shown again.`);
  return EXIT.ok;
}

const STATES = { valid: 'valid', expired: 'expired', unknown: 'not yet valid' } as const;

/** Shows keys without their hashes. */
async function listKeys(context: Context, options: ListOptions): Promise<ExitCode> {
  const now = context.now();
  const keys = (await readKeyFile(options.keys)).map((entry) => {
    const { id, name, from, until, rateLimit, operator, createdAt } = entry;
    return { id, name, state: STATES[checkPeriod(entry, now).kind], from, until, rateLimit, operator, createdAt };
  });
  const rows = keys.map(({ operator, ...key }) =>
    [key.id, key.name, key.state, key.from, key.until, key.rateLimit, operator && 'operator', key.createdAt].map(
      (cell) => cell ?? '',
    ),
  );
  const table = formatTable(['id', 'name', 'state', 'from', 'until', 'limit', 'mark', 'created'], rows);
  context.output.report(options, { keys }, table);
  return EXIT.ok;
}

async function revokeKey(context: Context, { keys }: ListOptions, key: string): Promise<ExitCode> {
  const hash = isWellFormedKey(key) ? hashApiKey(key) : undefined;
  const entries = await readKeyFile(keys);
  const meant = entries.filter((entry) => entry.id === key || entry.name === key || entry.sha256 === hash);
  const [only, ...others] = meant;
  // The argument is not quoted: it may be a key.
  if (only === undefined) throw new CommandError(`${keys}: holds no such key; deals keys list shows those there are`);
  if (others.length > 0) {
    throw new CommandError(
      `${keys}: ${meant.length} keys have this name; give an id: ${meant.map((entry) => entry.id).join(', ')}`,
    );
  }
  await removeKeys(keys, (entry) => entry.id === only.id);
  context.output.message(`${keys}: revoked the key ${only.id} of ${only.name}`);
  return EXIT.ok;
}

function parseKeyRateLimit(text: string): string {
  if (!isKeyRateLimit(text)) throw new SettingError('Expected requests per duration such as 600/1m, or off.');
  return text;
}
