import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import {
  createPublishedSchema,
  PUBLISHED_FILES,
  PUBLISHED_SHAPES,
  type PublishedFile,
} from '../../../../data/schema/published-schema.ts';
import { readTable } from '../../../support/table.ts';

/** A sound line or file of each kind. */
const SOUND = Object.fromEntries(
  readTable<[PublishedFile, object]>(import.meta.url, 'fixture/sound.ndjson'),
) as Readonly<Record<PublishedFile, object>>;

const SOUND_CHANGES = SOUND['changes.json'] as { readonly productsNew: object };

/** Faulty in one place each, by what is put over the sound value. */
const FAULTY: readonly (readonly [PublishedFile, string, object])[] = [
  ...readTable<[PublishedFile, string, object]>(import.meta.url, 'fixture/faulty.ndjson'),
  ['deals.ndjson', 'more deals than a line may have', { rank: Array.from({ length: 4097 }, () => 0) }],
  [
    'changes.json',
    'more listed changes than a list may have',
    {
      productsNew: {
        ...SOUND_CHANGES.productsNew,
        items: Array.from({ length: 101 }, () => ({ product: '1/new', name: 'A' })),
      },
    },
  ],
];

function createValidators() {
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv, ['date-time']);
  return new Map(PUBLISHED_FILES.map((file) => [file, ajv.compile(createPublishedSchema(file))] as const));
}

describe('the published JSON Schemas', () => {
  const validators = createValidators();

  it.each(PUBLISHED_FILES)('zod and ajv take a sound %s', (file) => {
    expect(PUBLISHED_SHAPES[file].safeParse(SOUND[file]).error).toBeUndefined();
    expect(validators.get(file)?.(SOUND[file])).toBe(true);
  });

  it.each(FAULTY)('zod and ajv refuse %s with %s', (file, _, fault) => {
    const value = { ...SOUND[file], ...fault };
    expect(PUBLISHED_SHAPES[file].safeParse(value).success).toBe(false);
    expect(validators.get(file)?.(value)).toBe(false);
  });

  it.each(PUBLISHED_FILES)('zod and ajv refuse %s without any one of its keys that zod needs', (file) => {
    for (const key of Object.keys(SOUND[file])) {
      const value = Object.fromEntries(Object.entries(SOUND[file]).filter(([name]) => name !== key));
      const isSound = PUBLISHED_SHAPES[file].safeParse(value).success;
      expect({ key, isSound: validators.get(file)?.(value) }).toEqual({ key, isSound });
    }
  });
});
