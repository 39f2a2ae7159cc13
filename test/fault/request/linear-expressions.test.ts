import { checkSync } from 'recheck';
import { describe, expect, it, vi } from 'vitest';
import { byTier, TIER } from '../tier.ts';
import { collectExpressions, listBuilders, type Expression } from './expressions.ts';

// The checker in JavaScript: the others are programs that its package would have to bring.
vi.hoisted(() => {
  process.env['RECHECK_SYNC_BACKEND'] = 'pure';
});

/** In the first tier what takes long is left to the second. */
const CHECK_MS = byTier({ first: 40, second: 60_000, long: 600_000 });

const expressions = collectExpressions();

/** What is wrong with an expression, or undefined. */
function faultOf({ source, flags, where }: Expression): string | undefined {
  const first = checkSync(source, flags, { timeout: CHECK_MS });
  // What random strings find of an expression that is linear, others do not find again.
  const isGuess = first.status === 'vulnerable' && first.complexity.isFuzz;
  const found = isGuess ? checkSync(source, flags, { timeout: CHECK_MS, randomSeed: 1 }) : first;
  if (found.status === 'safe' || (TIER === 'first' && found.status === 'unknown')) return undefined;
  const what = found.status === 'vulnerable' ? `${found.complexity.summary}, ${found.attack.pattern}` : 'not known';
  return `${where}: /${source}/${flags} ${what}`;
}

describe('the regular expressions of the program', () => {
  it(
    'are linear, each of them',
    () => {
      expect(expressions.length).toBeGreaterThan(150);
      expect(expressions.map(faultOf).filter((fault) => fault !== undefined)).toEqual([]);
    },
    byTier({ first: 60_000, second: 300_000, long: 3_600_000 }),
  );

  it('are literals, but for those of the schemas and the name of an element', () => {
    expect(listBuilders()).toEqual(['build/source/plain-text.ts', 'data/schema/response.ts']);
  });

  it('are told from one that is not', () => {
    const natural = { source: '^(\\w+)\\((([\\w-]+),?)*\\)$', flags: '', where: 'the natural one for expand=' };
    expect(checkSync(natural.source, natural.flags, { timeout: 60_000 }).status).toBe('vulnerable');
  });
});
