import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../build/source/errors.ts';
import { memoryFile } from '../../unit/build/source/memory-file.ts';
import { byTier } from '../tier.ts';
import { mutate } from './mutate.ts';
import { createRandom } from './random.ts';
import { READERS, type Reader } from './readers.ts';

/** Of all readers together. */
const MUTANT_COUNT = byTier({ first: 4_000, second: 200_000, long: 20_000_000 });

/** Set to the seed of a failure to repeat it. */
const FIRST_SEED = Number(process.env['MUTATE_SEED'] ?? 1);

const MAX_MS = 50;

/** The collector may have come in between: who is slow every time is slow. */
const RETRIES = 3;

const BATCH = 500;

const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Map.prototype, Function.prototype];

describe('no input, however it is damaged, crashes a reader, holds it up or changes what all objects share', () => {
  it.each(READERS.map((reader) => [reader.name, reader] as const))(
    '%s',
    async (_, reader) => {
      const before = describePrototypes();
      const count = Math.ceil(MUTANT_COUNT / READERS.length);
      // The first reading compiles: its time does not count.
      for (const sound of reader.sound) await reader.read(memoryFile(sound));
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
  const chunkBytes = random(8) === 0 ? 8 + random(64) : 4_096;
  let fastestMs = Infinity;
  for (let attempt = 0; attempt <= RETRIES; attempt++) {
    // Of the processor: on a machine that others use, the clock tells more of them than of us.
    const started = process.cpuUsage();
    try {
      await reader.read(memoryFile(input, chunkBytes));
    } catch (error) {
      if (!(error instanceof SourceError)) return `${(error as Error).stack}\n${input.toString('latin1')}`;
      if (error.message === '' || error.source !== 'feed') return `a SourceError that says nothing: ${error.message}`;
    }
    const { user, system } = process.cpuUsage(started);
    fastestMs = Math.min(fastestMs, (user + system) / 1_000);
    if (fastestMs <= MAX_MS) return undefined;
  }
  return `took ${fastestMs.toFixed(0)} ms at best\n${input.toString('latin1')}`;
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
