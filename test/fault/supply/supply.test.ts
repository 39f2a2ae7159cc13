import { describe, expect, it } from 'vitest';
import { listProductionPackages, readLock } from './production-packages.ts';

/** Licences that a program may be given away, sold and run under without opening its own code. */
const COMPATIBLE = /^(?:0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|ISC|MIT|PSF-2\.0)$/;
/** libvips and what holds it, which sharp loads as a library of its own that a user may replace, may be under the LGPL. */
const SEPARATE_LIBRARY = /^@img\/sharp-/;

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
});

describe('the packages that the program runs with', () => {
  it('have no install scripts', () => {
    expect(listProductionPackages().filter(({ hasInstallScript }) => hasInstallScript === true)).toEqual([]);
  });

  it('have compatible licences', () => {
    const isRight = (name: string, word: string): boolean =>
      COMPATIBLE.test(word) || (word === 'LGPL-3.0-or-later' && SEPARATE_LIBRARY.test(name));
    const wrong = listProductionPackages().filter(
      ({ name, license = 'none' }) => !license.split(' AND ').every((word) => isRight(name, word)),
    );
    expect(wrong).toEqual([]);
  });
});
