import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM_ROOT } from '../program.ts';
import { TIER } from '../tier.ts';
import { listProductionPackages, readLock } from './production-packages.ts';

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
});

describe('npm audit', () => {
  it.skipIf(TIER === 'first')(
    'finds nothing high or critical',
    ({ skip }) => {
      const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: PROGRAM_ROOT, encoding: 'utf8' });
      const { vulnerabilities } = parseAudit(stdout);
      if (vulnerabilities === undefined) {
        process.stderr.write(`skipped: npm audit needs a registry that answers it (${stdout.slice(0, 80)})\n`);
        return skip();
      }
      const grave = Object.entries(vulnerabilities).filter(([, { severity }]) => /^(?:high|critical)$/.test(severity));
      expect(grave).toEqual([]);
    },
    120_000,
  );
});

/** Without `vulnerabilities` the registry has not answered. */
function parseAudit(json: string): { readonly vulnerabilities?: Readonly<Record<string, { severity: string }>> } {
  try {
    return JSON.parse(json) as ReturnType<typeof parseAudit>;
  } catch {
    return {};
  }
}
