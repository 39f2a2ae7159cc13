import { describe, expect, it } from 'vitest';
import { parseAcceptances } from '../../../../build/gate/acceptance.ts';
import { GATE_NAMES } from '../../../../build/gate/gates.ts';
import { ConfigError } from '../../../../build/source/errors.ts';

describe('--accept', () => {
  it.each([
    [[], [false, false]],
    [['lost:house'], [true, false]],
    [['lost'], [true, true]],
    [
      ['moved', 'price-jump:house', 'old-file'],
      [false, false],
    ],
  ])('%j', (words, accepted) => {
    const isAccepted = parseAcceptances(words, ['house', 'awin']);
    expect(['house', 'awin'].map((source) => isAccepted('lost', source))).toEqual(accepted);
  });

  const anyGate = `expected <gate> or <gate>:<source> with a gate of ${[...GATE_NAMES, 'price-jump', 'old-file'].join(', ')}`;
  it.each([
    ['lose', anyGate],
    ['', anyGate],
    ['quarantined:house:x', anyGate],
    ['quarantined:hose', 'expected a source of house, awin'],
    ['currency:house', 'expected currency without a source'],
  ])('refuses %j', (word, expected) => {
    const error = new ConfigError([`--accept: ${expected}, got ${JSON.stringify(word)}`]);
    expect(() => parseAcceptances([word], ['house', 'awin'])).toThrow(error);
  });
});
