import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../build/source/errors.ts';
import { memoryFile } from '../../unit/build/source/memory-file.ts';
import { byTier } from '../tier.ts';
import { mutate } from './mutate.ts';
import { createRandom } from '../../support/random.ts';
import { READERS, type Reader } from './readers.ts';

/** Of all readers together. */
const MUTANT_COUNT = byTier({ first: 4_000, second: 200_000, long: 20_000_000 });

/** Set to the seed of a failure to repeat it. */
const FIRST_SEED = Number(process.env['MUTATE_SEED'] ?? 1);

const BATCH = 500;

const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Map.prototype, Function.prototype];

describe('no input, however it is damaged, crashes a reader or changes what all objects share', () => {
  it.each(READERS.map((reader) => [reader.name, reader] as const))(
    '%s',
    async (_, reader) => {
      const before = describePrototypes();
      const count = Math.ceil(MUTANT_COUNT / READERS.length);
      for (let seed = FIRST_SEED; seed < FIRST_SEED + count; seed++) {
        const fault = await findFault(reader, seed);
        if (fault !== undefined) throw new Error(`${reader.name}, MUTATE_SEED=${seed}: ${fault}`);
        if (seed % BATCH === 0 && describePrototypes() !== before) {
          throw new Error(`${reader.name}, up to MUTATE_SEED=${seed}: a prototype has changed`);
        }
      }
      expect(describePrototypes()).toBe(before);
    },
    byTier({ first: 60_000, second: 300_000, long: 24 * 3_600_000 }),
  );
});

/** What is wrong with how the reader takes the mutant of a seed. */
async function findFault(reader: Reader, seed: number): Promise<string | undefined> {
  const random = createRandom(seed);
  const input = mutate(random, reader.sound);
  const chunkBytes = random.below(8) === 0 ? 8 + random.below(64) : 4_096;
  try {
    await reader.read(memoryFile(input, chunkBytes));
    return undefined;
  } catch (error) {
    if (!(error instanceof SourceError)) return `${(error as Error).stack}\n${input.toString('latin1')}`;
    const saysNothing = error.message === '' || error.source !== 'feed';
    return saysNothing ? `a SourceError that says nothing: ${error.message}` : undefined;
  }
}

/** Everything that a prototype has, by name and by value. */
function describePrototypes(): string {
  return PROTOTYPES.map((prototype) =>
    Reflect.ownKeys(prototype)
      .map((key) => {
        const property = Object.getOwnPropertyDescriptor(prototype, key);
        return `${String(key)}=${typeof property?.value}${property !== undefined && 'get' in property}`;
      })
      .join(),
  ).join('\n');
}
