import { groupBy } from './matching-group-by.ts';
import type { Model } from './matching-models.ts';

/**
 * How a person reads names, to label them: letters and digits in their order, without case, spaces and marks. It shares
 * no code with the matcher and knows every model of the table, whether or not the catalogue has it.
 */
export interface Reading {
  /** Whether the text reads as a model with a storage that it has, whatever it says of connectivity. */
  readonly isProduct: (text: string) => boolean;
  /** Whether the text reads as a model, whatever it says of connectivity. */
  readonly isModel: (text: string) => boolean;
  /** The models that differ from this one by no more than connectivity, itself among them. */
  readonly family: (model: Model) => readonly Model[];
  /** Whether the words of the model are also those of a model of another maker that has storage, or among them. */
  readonly isShared: (model: Model) => boolean;
}

const CONNECTIVITY = /(?<![a-z0-9])(?:[345]g|lte|dual(?:[ -]?sim)?|e-?sim)(?![a-z0-9])/gi;

export function createReading(models: readonly Model[]): Reading {
  const modelReadings = new Set<string>();
  const productReadings = new Set<string>();
  for (const { name, core, storages } of models) {
    for (const text of [name, core]) {
      for (const reading of readingsOf(text)) modelReadings.add(reading);
      for (const storage of storages) {
        for (const reading of readingsOf(`${text} ${storage}`)) productReadings.add(reading);
      }
    }
  }
  const families = groupBy(models, ({ name }) => compact(withoutConnectivity(name)));
  const byWord = new Map<string, Model[]>();
  for (const model of models.filter(({ storages }) => storages.length > 0)) {
    for (const word of wordsOf(model.name)) byWord.set(word, [...(byWord.get(word) ?? []), model]);
  }

  function isShared({ maker, core }: Model): boolean {
    const [first = '', ...others] = wordsOf(core);
    const holders = (byWord.get(first) ?? []).filter((other) => other.maker !== maker);
    return holders.some(({ name }) => others.every((word) => wordsOf(name).has(word)));
  }

  return {
    isProduct: (text) => readingsOf(text).some((reading) => productReadings.has(reading)),
    isModel: (text) => readingsOf(text).some((reading) => modelReadings.has(reading)),
    family: ({ name }) => families.get(compact(withoutConnectivity(name))) ?? [],
    isShared,
  };
}

/** Letters and digits alone, and the dot of `5.1`; `+` is `plus`. */
export function compact(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('+', 'plus')
    .replaceAll('generation', 'gen')
    .replaceAll(/(?<![0-9])\.|\.(?![0-9])/g, '')
    .replaceAll(/[^a-z0-9.]/g, '');
}

export function withoutConnectivity(text: string): string {
  return text.replaceAll(CONNECTIVITY, ' ').replaceAll(/\s+/g, ' ').trim();
}

function readingsOf(text: string): readonly string[] {
  const sorted = [...wordsOf(withoutConnectivity(text))].sort().join(' ');
  return [compact(text), compact(withoutConnectivity(text)), sorted];
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .toLowerCase()
      .replaceAll('+', ' plus ')
      .split(/[^a-z0-9.]+/)
      .filter((word) => word !== ''),
  );
}
