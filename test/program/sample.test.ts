import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addKey } from '../../server/keys/key-file.ts';
import { useSample } from '../browser/sample-server.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { fetchText, until, type TextResponse } from '../harness.ts';
import { nameOf, OPERATIONS, parametersOf, type Operation, type Parameter } from '../unit/server/openapi/document.ts';
import { findSchemaFaults } from '../unit/server/openapi/schema-faults.ts';

const run = promisify(execFile);

const ORIGIN = 'https://shop.example';
const PROJECT = join(import.meta.dirname, '../..');

const rateLimit = { requests: 100_000, seconds: 60 };
const sample = useSample({ settings: { corsOrigins: [ORIGIN], rateLimit } });
let operatorKey = '';
let picturePath = '';
beforeAll(async () => {
  operatorKey = (await addKey(sample.keysFile, { name: 'operator', operator: true }, new Date())).keyText;
  await until(async () => (await ask('/deals/v1/networks/', {}, operatorKey)).status === 200);
  const { text } = await ask('/deals/v1/products/101/?fields=products(front,large,webp)');
  picturePath = new URL(/"largeFrontImageWebp":"([^"]+)"/.exec(text)?.[1] ?? sample.url).pathname;
});

function ask(target: string, init: RequestInit = {}, key = sample.key): Promise<TextResponse> {
  const headers = { 'x-api-key': key, ...(init.headers as Record<string, string> | undefined) };
  return fetchText(sample.url + target, { ...init, headers });
}

/** Of HTTP itself. */
const OF_HTTP = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding']);

/** Holds an answer to what the document says of its status: media type, body, headers. */
function expectAsDocumented({ responses, operationId }: Operation, answer: TextResponse, hasBody = true): void {
  const described = responses[answer.status];
  const where = `${operationId} ${answer.status}`;
  if (described === undefined) throw new Error(`${where} is not documented: ${answer.text.slice(0, 500)}`);
  const documented = Object.values(described.headers).map((header) => nameOf(header).toLowerCase());
  const sent = [...answer.headers.keys()].filter((name) => !OF_HTTP.has(name));
  expect([where, sent.filter((name) => !documented.includes(name))]).toEqual([where, []]);
  const type = answer.headers.get('content-type')?.split(';')[0];
  const types = Object.keys(described.content ?? {});
  expect([where, types, type === undefined ? types.length === 0 : types.includes(type)]).toEqual([where, types, true]);
  if (!hasBody || type === undefined || !type.endsWith('json')) return;
  const faults = findSchemaFaults(described.content?.[type]?.schema ?? {}, JSON.parse(answer.text));
  expect([where, faults]).toEqual([where, []]);
}

/** A target of an operation: required parameters by their first example, and perhaps one more. */
function targetOf(path: string, operation: Operation, parameter?: Parameter, value?: unknown): string {
  let target = path;
  const query: string[] = [];
  for (const each of parametersOf(operation)) {
    if (each.required !== true && each !== parameter) continue;
    const given = each === parameter ? value : firstExample(each);
    if (each.in === 'path') target = target.replace(`{${each.name}}`, String(given));
    else for (const one of [given].flat()) query.push(`${each.name}=${encodeURIComponent(String(one))}`);
  }
  return query.length === 0 ? target : `${target}?${query.join('&')}`;
}

function firstExample({ name, examples }: Parameter): unknown {
  const [, , folder, file] = picturePath.split('/');
  return { folder, file }[name] ?? Object.values(examples ?? {})[0]?.value;
}

const PARAMETER_EXAMPLES = OPERATIONS.flatMap(([path, operation]) =>
  parametersOf(operation).flatMap((parameter) =>
    Object.values(parameter.examples ?? {}).map(
      ({ value, summary }) =>
        [operation.operationId, parameter.name, summary, { path, operation, parameter, value }] as const,
    ),
  ),
);

const CODE_SAMPLES = OPERATIONS.flatMap(([, operation]) =>
  (operation['x-codeSamples'] ?? []).map(({ source }) => [source, operation] as const),
);

describe('each documented example works on the sample, and gives something', () => {
  it.each(PARAMETER_EXAMPLES)(
    '%s %s: %s',
    async (_operation, _name, _summary, { path, operation, parameter, value }) => {
      const answer = await ask(targetOf(path, operation, parameter, value), {}, operatorKey);
      expect([answer.status, answer.text.slice(0, 500)]).toEqual([200, expect.any(String)]);
      expectAsDocumented(operation, answer);
      expect(answer.text).not.toMatch(/^\{"[a-zA-Z]+":\[\]/);
    },
  );

  it.skipIf(isMissing('the documented lines for a shell', tool('curl'))).each(CODE_SAMPLES)(
    '%s',
    async (source, operation) => {
      const env = { PATH: process.env['PATH'], KEY: sample.key, BASE: sample.url };
      const line = source.replace('curl', 'curl --silent --include');
      const { stdout } = await run('/bin/sh', ['-c', line], { env, maxBuffer: 50_000_000 });
      const [, statusLine = '', head = '', text = ''] = /^([^\r]*)\r\n([^]*?)\r\n\r\n([^]*)$/.exec(stdout) ?? [];
      const headers = head
        .split('\r\n')
        .map((each): [string, string] => [each.split(': ')[0] ?? '', each.replace(/^.*?: /, '')]);
      const answer = { status: Number(statusLine.split(' ')[1]), headers: new Headers(headers), text };
      expect(answer.status).toBe(200);
      expectAsDocumented(operation, answer);
      expect(answer.text).not.toMatch(/:\[\]/);
    },
  );
});

describe('each operation', () => {
  it.each(OPERATIONS)('%s answers as documented, also what it refuses', async (path, operation) => {
    const target = targetOf(path, operation);
    const more = target.includes('?') ? '&' : '?';
    const whole = await ask(target, { headers: { Origin: ORIGIN } }, operatorKey);
    const etag = whole.headers.get('etag') ?? '';
    const refusals = [
      [400, await ask(`${target}${more}surprise=1`, {}, operatorKey)],
      [401, await ask(target, {}, 'nobody')],
      [304, await ask(target, { headers: { 'If-None-Match': etag } }, operatorKey)],
      [405, await ask(target, { method: 'DELETE' })],
      [414, await ask(`${target}${more}${'x'.repeat(9_000)}`)],
    ] as const;
    for (const [status, answer] of [[200, whole] as const, ...refusals]) {
      // Not every operation asks for a key, or has a tag.
      if (!(status in operation.responses) && status < 402) continue;
      expect(answer.status).toBe(status);
      expectAsDocumented(operation, answer);
    }
    expectAsDocumented(operation, await ask(target, { method: 'HEAD' }, operatorKey), false);
  });
});

/** A program that reads the sample by the generated client, with nothing but its types. */
const CLIENT_READER = `
import { defaults, findProduct, listNetworks, listProducts, type Problem, type Product } from './client.ts';

const [url = '', key = ''] = process.argv.slice(2);
defaults.baseUrl = url;
defaults.headers = { 'x-api-key': key };

const list = await listProducts({
  filterCondition: ['eq{new}'],
  filterMonthlyCost: ['gte{20}', 'lt{40}'],
  expand: 'products(cheapestDeal)',
  sort: 'products(total-cost-asc)',
  limit: '2',
});
if (list.status !== 200) throw new Error('the list was refused');
const cheapest: Product | undefined = list.data.products[0];
const monthly: number | undefined = cheapest?.cheapestDeal?.monthlyContractPrice;

const one = await findProduct('101', { filterCondition: ['eq{new}'], expand: 'products(deals)', limit: 'deals(3)' });
if (one.status !== 200) throw new Error('the product was refused');
const deals: string[] = (one.data.deals ?? []).map((deal) => deal.totalDealCost);

const networks = await listNetworks();
if (networks.status !== 200) throw new Error('the networks were refused');

const refused = await listProducts({ filterCondition: ['eq{New}'] });
if (refused.status !== 400) throw new Error('a misspelled word was let through');
const problem: Problem = refused.data;

console.log(
  JSON.stringify({
    cheapest: { name: cheapest?.name, monthly },
    deals,
    networks: networks.data.networks.map(({ slug }) => slug),
    refused: { code: problem.code, suggestion: problem.errors[0]?.suggestion },
  }),
);
`;

const STRICT =
  '--strict --noUncheckedIndexedAccess --noImplicitOverride --target es2022 --lib es2023,dom --types node --module esnext --moduleResolution bundler --rewriteRelativeImportExtensions --skipLibCheck --outDir out'.split(
    ' ',
  );

describe('a client that oazapfts generates', () => {
  it('compiles in strict mode and reads the sample', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deals-client-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
    const files = {
      'package.json': '{"type":"module"}',
      'openapi.json': (await ask('/openapi.json')).text,
      'reader.ts': CLIENT_READER,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const node = (...args: readonly string[]) => run(process.execPath, args, { cwd: folder });
    await node('node_modules/oazapfts/dist/cli.js', 'openapi.json', 'client.ts');
    await node('node_modules/typescript/bin/tsc', ...STRICT, 'reader.ts').catch((error: { stdout: string }) => {
      throw new Error(error.stdout);
    });
    const { stdout } = await node('out/reader.js', sample.url, sample.key);
    expect(JSON.parse(stdout)).toEqual({
      cheapest: { name: expect.any(String), monthly: expect.any(Number) },
      deals: expect.arrayContaining([expect.stringMatching(/^[0-9]+\.[0-9]{2}$/)]),
      networks: expect.arrayContaining(['northway', 'quartet']),
      refused: { code: 'unknown-value', suggestion: 'new' },
    });
  });
});
