import { closeSync, openSync, readdirSync } from 'node:fs';
import { dirname, join as joinPath } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CacheFileReader, writeCacheFile } from '../../../../build/cache/cache-file.ts';
import { hashJoinInputs } from '../../../../build/cache/cache-key.ts';
import { MONEY, cmsOf, join, productsNamed } from '../join/sample-records.ts';
import { createTemporaryFolder } from '../publish/temporary-store.ts';

const KEY = Buffer.from('the key of a store');

function openSections(path: string): { readonly reader: CacheFileReader; readonly close: () => void } {
  const descriptor = openSync(path, 'r');
  return { reader: new CacheFileReader(descriptor, KEY), close: () => closeSync(descriptor) };
}

describe('a file of sections', () => {
  it('gives back what was written, in its order', () => {
    const path = joinPath(createTemporaryFolder(), 'a.deals');
    const numbers = Uint32Array.from({ length: 300_000 }, (_, i) => i * 7);
    const long = 'é"\n'.repeat(700_000);
    const values = [long, 'short', [1, { a: null }], long, ...Array.from({ length: 200_000 }, (_, i) => ({ i }))];
    writeCacheFile(path, KEY, { key: 'k' }, (writer) => {
      writer.numbers(numbers.subarray(1));
      writer.values(values);
      writer.bytes(Buffer.from('bytes'));
      writer.numbers(new Uint32Array(0));
      writer.values([]);
    });
    const { reader, close } = openSections(path);
    expect(reader.head).toEqual({ key: 'k' });
    expect(reader.numbers()).toEqual(numbers.slice(1));
    expect([...reader.values()]).toEqual(values);
    expect(reader.bytes().toString()).toBe('bytes');
    expect(reader.numbers()).toEqual(new Uint32Array(0));
    expect([...reader.values()]).toEqual([]);
    reader.finish();
    close();
  });

  it('is not trusted before every section has been read', () => {
    const path = joinPath(createTemporaryFolder(), 'a.deals');
    writeCacheFile(path, KEY, {}, (writer) => writer.values([1]));
    const { reader, close } = openSections(path);
    expect(() => reader.finish()).toThrow('expected every section to be read');
    close();
  });

  it('is not what was written for one who has another key', () => {
    const path = joinPath(createTemporaryFolder(), 'a.deals');
    writeCacheFile(path, Buffer.from('another key'), {}, () => {});
    const { reader, close } = openSections(path);
    expect(() => reader.finish()).toThrow('expected the bytes as written');
    close();
  });

  it('stays as it was when another cannot be finished, of which nothing is left', () => {
    const path = joinPath(createTemporaryFolder(), 'a.deals');
    writeCacheFile(path, KEY, 'first', () => {});
    const write = () =>
      writeCacheFile(path, KEY, 'second', () => {
        throw new Error('the disk is full');
      });
    expect(write).toThrow('the disk is full');
    expect(readdirSync(dirname(path))).toEqual(['a.deals']);
    const { reader, close } = openSections(path);
    expect(reader.head).toBe('first');
    close();
  });
});

const O2 = { id: '21', name: 'O2', slug: 'o2' };

function hashOf(lists: Parameters<typeof cmsOf>[0]): string {
  const { joined, exclusions } = join(cmsOf({ networks: [], retailers: [], ...lists }));
  return hashJoinInputs(joined, exclusions, MONEY);
}

describe('the hash of what the joining of deals depends on', () => {
  it('is the same for the same records', () => {
    expect(hashOf({ networks: [O2] })).toBe(hashOf({ networks: [O2] }));
  });

  it.each([
    ['a network becomes a retailer', { networks: [O2] }, { retailers: [O2] }],
    ['a network declares an id of a feed', { networks: [O2] }, { networks: [{ ...O2, feedIds: { awin: ['21'] } }] }],
    ['a product has another name', { products: productsNamed(['A1']) }, { products: productsNamed(['A2']) }],
  ])('changes when %s', (_, before, after) => {
    expect(hashOf(before)).not.toBe(hashOf(after));
  });
});
