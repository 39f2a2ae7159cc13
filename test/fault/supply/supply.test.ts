import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM_ROOT } from '../program.ts';
import { TIER } from '../tier.ts';
import { listProductionPackages, readInstalled, readLock } from './production-packages.ts';

/** What the registry knows against the packages of the lock file. */
type Audit =
  | { readonly kind: 'answered'; readonly grave: readonly string[] }
  /** Offline, or a registry that answers no audits. */
  | { readonly kind: 'unanswered'; readonly reason: string };

interface AuditReport {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range?: string }>>;
  readonly message?: string;
  readonly error?: { readonly summary?: string };
}

/** Asks the registry: `npm audit`. */
function audit(...args: readonly string[]): Audit {
  const { stdout } = spawnSync('npm', ['audit', '--json', ...args], { cwd: PROGRAM_ROOT, encoding: 'utf8' });
  return judgeAudit(stdout);
}

function judgeAudit(json: string): Audit {
  let report: AuditReport;
  try {
    report = JSON.parse(json) as AuditReport;
  } catch {
    return { kind: 'unanswered', reason: `npm audit wrote ${JSON.stringify(json.slice(0, 80))}` };
  }
  if (report.vulnerabilities === undefined) {
    return { kind: 'unanswered', reason: report.message ?? report.error?.summary ?? 'npm audit reported nothing' };
  }
  const grave = Object.entries(report.vulnerabilities).filter(
    ([, { severity }]) => severity === 'high' || severity === 'critical',
  );
  return { kind: 'answered', grave: grave.map(([name, { severity, range }]) => `${name} ${range ?? ''}: ${severity}`) };
}

/**
 * Licences that a program may be given away, sold and run under without opening its own code. Those of the LGPL are
 * libvips and what holds it, which sharp loads as a library of its own that a user may replace.
 */
const COMPATIBLE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'PSF-2.0',
]);
/** These alone may be under the LGPL. */
const SEPARATE_LIBRARY = /^@img\/sharp-/;

const LOCK_TEXT = readFileSync(join(PROGRAM_ROOT, 'package-lock.json'), 'utf8');

function npm(...args: readonly string[]): string {
  // As from a shell: npm hands its own settings on to the tests that it runs.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: PROGRAM_ROOT, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
  return stdout;
}

describe('the lock file', () => {
  it('has the hash of every package', () => {
    const unsealed = readLock().filter(({ integrity }) => !/^sha512-[0-9A-Za-z+/]{86}==$/.test(integrity ?? ''));
    expect(unsealed.map(({ place }) => place)).toEqual([]);
  });

  it('names no host that packages come from', () => {
    // A page that asks for donations is none.
    const named = readLock().filter((entry) => JSON.stringify({ ...entry, funding: undefined }).includes('://'));
    expect(named.map(({ place }) => place)).toEqual([]);
  });

  it('is that of package.json', () => {
    const { packages } = JSON.parse(LOCK_TEXT) as { readonly packages: Record<string, Record<string, unknown>> };
    const manifest = JSON.parse(readFileSync(join(PROGRAM_ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(packages['']?.['dependencies']).toEqual(manifest['dependencies']);
    expect(packages['']?.['devDependencies']).toEqual(manifest['devDependencies']);
  });
});

describe('install scripts', () => {
  it('are off', () => {
    expect(npm('config', 'get', 'ignore-scripts').trim()).toBe('true');
  });

  it('are in no package that the program runs with', () => {
    expect(listProductionPackages().filter(({ hasInstallScript }) => hasInstallScript === true)).toEqual([]);
  });
});

describe('licences', () => {
  it('of all production packages are compatible', () => {
    const judged = listProductionPackages().map(({ name, license = 'none' }) => ({
      name,
      words: license.split(' AND '),
    }));
    expect(judged.filter(({ words }) => !words.every((word) => COMPATIBLE.has(word)))).toEqual([]);
    const bound = judged.filter(({ words }) => words.some((word) => word.startsWith('LGPL')));
    expect(bound.filter(({ name }) => !SEPARATE_LIBRARY.test(name))).toEqual([]);
  });

  it('are those that the installed packages state', () => {
    const differing = listProductionPackages().flatMap(({ place, version, license }) => {
      const installed = readInstalled(place);
      return installed === undefined || (installed.version === version && installed.license === license)
        ? []
        : [{ place, version, license, installed: [installed.version, installed.license] }];
    });
    expect(differing).toEqual([]);
  });
});

describe('the list of what is in it', () => {
  it('is made by one command, npm run sbom: each package with its version and hash, and which are for development', () => {
    const bill = JSON.parse(npm('run', '--silent', 'sbom')) as {
      readonly bomFormat: string;
      readonly components: readonly Component[];
    };
    expect(bill.bomFormat).toBe('CycloneDX');
    // npm leaves out what both the program and its tests use, if it is asked for production packages alone.
    const isForProgram = ({ properties }: Component): boolean =>
      !properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
    expect(namesOf(bill.components)).toEqual(namesOf(readLock()));
    expect(namesOf(bill.components.filter(isForProgram))).toEqual(namesOf(listProductionPackages()));
    expect(bill.components.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512')).toEqual([]);
  });
});

interface Component {
  readonly name: string;
  readonly version: string;
  readonly hashes?: readonly { readonly alg: string }[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

function namesOf(packages: readonly { readonly name: string; readonly version?: string }[]): readonly string[] {
  return [...new Set(packages.map(({ name, version }) => `${name}@${version}`))].sort();
}

describe('npm audit', () => {
  it('is read right: high and critical count, the rest does not, and no answer is no answer', () => {
    const report = {
      vulnerabilities: {
        a: { severity: 'low' },
        b: { severity: 'high', range: '<2' },
        c: { severity: 'critical', range: '*' },
        d: { severity: 'moderate' },
      },
    };
    expect(judgeAudit(JSON.stringify(report))).toEqual({ kind: 'answered', grave: ['b <2: high', 'c *: critical'] });
    expect(judgeAudit('{"vulnerabilities":{}}')).toEqual({ kind: 'answered', grave: [] });
    expect(judgeAudit('{"message":"offline"}')).toEqual({ kind: 'unanswered', reason: 'offline' });
    expect(judgeAudit('')).toMatchObject({ kind: 'unanswered' });
  });

  const audited: readonly (readonly [what: string, args: readonly string[]])[] = [
    ['what the program runs with', ['--omit=dev']],
    ['what it is made with', []],
  ];

  for (const [what, args] of TIER === 'first' ? [] : audited) {
    it(`finds nothing high or critical in ${what}`, ({ skip }) => {
      const found = audit(...args);
      if (found.kind === 'unanswered') {
        process.stderr.write(`skipped: npm audit of ${what} needs a registry that answers it (${found.reason})\n`);
        return skip();
      }
      expect(found.grave).toEqual([]);
    }, 120_000);
  }
});
