import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../contract/serve.ts';
import { PROGRAM_ROOT } from '../fault/program.ts';
import { listProductionPackages } from '../fault/supply/production-packages.ts';
import { TIER } from '../fault/tier.ts';
import { VARIABLES } from './deals-words.ts';
import { readDeployed } from './deploy-folder.ts';
import { copySample } from './sample-store.ts';

/** An instruction of a Containerfile: `COPY` and its words as they stand. */
interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** A stage: what it begins from, what it is called, and its instructions. */
interface Stage {
  readonly base: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

function parseContainerfile(text: string): readonly Stage[] {
  const stages: { base: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const line of text.replaceAll(/\\\n/g, ' ').split('\n')) {
    const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === undefined || rest === undefined) {
      if (!/^\s*(#|$)/.test(line)) throw new Error(`no instruction: ${line}`);
      continue;
    }
    if (name === 'FROM') {
      const [base = '', , stage] = rest.split(' ');
      stages.push({ base, name: stage, instructions: [] });
    } else {
      stages.at(-1)?.instructions.push({ name, text: rest });
    }
  }
  return stages;
}

/** The value of the one instruction of this name. */
function textOf(stage: Stage, name: string): string {
  const [found, ...others] = stage.instructions.filter((instruction) => instruction.name === name);
  if (found === undefined || others.length > 0)
    throw new Error(`${name} stands ${others.length} times too often, or not`);
  return found.text;
}

const STAGES = parseContainerfile(readDeployed('Containerfile'));
const [FINAL] = STAGES.slice(-1) as [Stage];

let folder: string;
/** The file system of each stage. */
const roots = new Map<string, string>();

/** What `npm ci` does in a stage, in the first tier from what is installed here: without a registry, in a second. */
const QUICK: Readonly<Record<string, (workdir: string) => void>> = {
  'npm ci': (workdir) => symlinkSync(join(PROGRAM_ROOT, 'node_modules'), join(workdir, 'node_modules')),
  'npm ci --omit=dev': (workdir) => {
    for (const { place } of listProductionPackages()) {
      const installed = join(PROGRAM_ROOT, place);
      if (existsSync(installed)) cpSync(installed, join(workdir, place), { recursive: true });
    }
  },
};

/** Carries out a stage in a folder that stands for its file system. */
function runStage(stage: Stage, root: string): void {
  let workdir = root;
  for (const { name, text } of stage.instructions) {
    if (name === 'WORKDIR') mkdirSync((workdir = join(root, text)), { recursive: true });
    if (name === 'COPY') copy(text, workdir);
    if (name === 'RUN') run(text, workdir, root);
  }
}

function copy(text: string, workdir: string): void {
  const words = text.split(' ');
  const from =
    words[0]?.startsWith('--from=') === true ? roots.get(words.shift()?.slice('--from='.length) ?? '') : PROGRAM_ROOT;
  const target = words.pop() ?? '';
  if (from === undefined) throw new Error(`${text}: no such stage`);
  for (const word of words) {
    const source = join(from, word);
    // Of a folder its content is copied.
    const isInto = (target.endsWith('/') || target === '.') && statSync(source).isFile();
    cpSync(source, join(workdir, target, isInto ? basename(word) : ''), { recursive: true });
  }
}

function run(text: string, workdir: string, root: string): void {
  if (TIER === 'first' && QUICK[text] !== undefined) return QUICK[text](workdir);
  // There is no user called node here, and / is the folder of the stage.
  const line = text.replace(/ && chown \S+( \/\w+)+$/, '').replaceAll(/ \//g, ` ${root}/`);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: workdir, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${line}: ${stdout}${stderr}`);
}

/** The words of an instruction in the form of a list. */
function wordsOf(name: string): readonly string[] {
  return JSON.parse(/\[.*\]$/.exec(textOf(FINAL, name))?.[0] ?? '') as string[];
}

describe('the Containerfile', () => {
  it('begins from one base, does not run as root, and sets what a command reads', () => {
    expect(new Set(STAGES.map(({ base }) => base)).size).toBe(1);
    expect(textOf(FINAL, 'USER')).toBe('node');
    const set = [...textOf(FINAL, 'ENV').matchAll(/(DEALS_\w+)=/g)].map(([, name]) => name ?? '');
    expect(set.filter((name) => !VARIABLES.has(name))).toEqual([]);
  });

  describe('step by step', () => {
    let env: Record<string, string>;
    let workdir: string;
    const entry = (...words: readonly string[]) => [...wordsOf('ENTRYPOINT').slice(1), ...words];

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'deals-image-'));
      for (const [at, stage] of STAGES.entries()) {
        const root = join(folder, String(at));
        mkdirSync(root);
        runStage(stage, root);
        if (stage.name !== undefined) roots.set(stage.name, root);
      }
      const root = join(folder, String(STAGES.length - 1));
      workdir = join(root, textOf(FINAL, 'WORKDIR'));
      const image = Object.fromEntries(
        [...textOf(FINAL, 'ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
      );
      env = {
        PATH: process.env['PATH'] ?? '',
        ...image,
        DEALS_STORE: join(root, 'store'),
        DEALS_KEYS: join(root, 'keys/keys.json'),
        DEALS_HOST: '127.0.0.1',
        DEALS_PORT: '0',
      };
    }, 300_000);
    afterAll(() => rmSync(folder, { recursive: true }));

    it('holds nothing that only development needs', () => {
      expect(existsSync(join(workdir, 'node_modules/typescript'))).toBe(false);
      expect(existsSync(join(workdir, 'node_modules/zod'))).toBe(true);
    });

    it('is the package, with nothing of the sources', () => {
      expect(readdirSync(join(workdir, 'dist'))).toEqual(['js']);
      expect(readdirSync(join(workdir, 'data')).sort()).toEqual(['sample', 'schema', 'spec']);
    });

    it('says its help', () => {
      const help = execFileSync('node', entry('--help'), { cwd: workdir, env, encoding: 'utf8' });
      expect(help).toContain('Usage: deals');
    });

    it('builds, pictures included, serves, and is healthy as long as it does', async () => {
      const config = copySample(join(folder, 'source'));
      execFileSync('node', entry('build', '--config', config), { cwd: workdir, env, stdio: 'pipe' });
      const sharp = [
        '-e',
        'import("sharp").then(({ default: s }) => s({create:{width:9,height:9,channels:3,background:"red"}}).webp().toBuffer())',
      ];
      expect(spawnSync('node', sharp, { cwd: workdir, env }).status).toBe(0);
      execFileSync('node', entry('keys', 'create', '--name', 'website'), { cwd: workdir, env, stdio: 'pipe' });
      const server = spawn('node', entry(...wordsOf('CMD')), { cwd: workdir, env });
      let said = '';
      server.stdout.on('data', (text) => (said += String(text)));
      await until(async () => said.includes('http:') || server.exitCode !== null);
      const port = /:(\d+)\b/.exec(said)?.[1] ?? '';
      const [, ...probe] = wordsOf('HEALTHCHECK');
      const isHealthy = () => spawnSync('node', probe, { env: { ...env, DEALS_PORT: port } }).status;
      expect(isHealthy()).toBe(0);
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
      const closed = once(server, 'close');
      server.kill('SIGTERM');
      expect((await closed)[0]).toBe(0);
      expect(isHealthy()).toBe(1);
    });
  });
});
