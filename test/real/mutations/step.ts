import type { Step, Where } from './kind.ts';
import type { Mutation, Wanted } from './mutation.ts';
import type { WorldName } from './world.ts';

/** A row of the tables: a name, what is wanted, the steps, and for `silent` the reason. */
export type Row = readonly [
  name: string,
  wanted: Wanted | 'safe but small moves',
  steps: readonly Step[],
  because?: string,
];

export function toMutations(world: WorldName, feed: string, rows: readonly Row[], required?: true): Mutation[] {
  return rows.map(([name, wanted, steps, because]) => ({
    name,
    world,
    feed,
    steps,
    wanted: wanted === 'safe but small moves' ? 'safe' : wanted,
    ...(wanted === 'safe but small moves' ? { allowsSmallMoves: true } : {}),
    ...(because === undefined ? {} : { because }),
    ...(required === undefined ? {} : { required }),
  }));
}

/** The same damage of several parts of a feed. */
export function inParts(
  parts: Record<string, Where>,
  name: string,
  wanted: Wanted,
  steps: (where: Where) => readonly Step[],
): Row[] {
  return Object.entries(parts).map(([part, where]) => [`${name} (${part})`, wanted, steps(where)]);
}

export const ALL: Where = {};
export const BIG: Where = { part: 'big' };
export const SMALL: Where = { part: 'small' };
export const NETWORK: Where = { part: 'network' };
export const TENTH: Where = { share: 0.1 };
export const TWENTIETH: Where = { share: 0.05 };
export const HALF: Where = { share: 0.5 };
export const ONE: Where = { share: 'one' };

/** The parts that a gate can tell from the rest, and the shares that only a look at each record can. */
export const PARTS = { all: ALL, 'a big retailer': BIG, 'a small retailer': SMALL, 'a network': NETWORK };
export const SHARES = { half: HALF, 'a tenth': TENTH, '5 %': TWENTIETH, 'one row': ONE };

export const MONEY = ['upfrontCost', 'monthlyCost', 'totalCost'];

export const set = (fields: readonly string[], to: string, where: Where = ALL): Step => ({
  do: 'set',
  fields,
  to,
  where,
});
export const scale = (fields: readonly string[], by: number, where: Where = ALL, places = 2): Step => ({
  do: 'scale',
  fields,
  by,
  places,
  where,
});
export const replace = (fields: readonly string[], find: RegExp, to: string, where: Where = ALL): Step => ({
  do: 'replace',
  fields,
  find,
  to,
  where,
});
export const swap = (a: string, b: string, where: Where = ALL): Step => ({ do: 'swap', a, b, where });
export const copy = (from: string, to: string, where: Where = ALL): Step => ({ do: 'copy', from, to, where });
export const shift = (fields: readonly string[], where: Where = ALL, by = 1): Step => ({
  do: 'shift',
  fields,
  by,
  where,
});
export const permute = (fields: readonly string[], where: Where = ALL): Step => ({ do: 'permute', fields, where });
export const drop = (...fields: readonly string[]): Step => ({ do: 'drop', fields });
export const rename = (field: string, to: string): Step => ({ do: 'rename', field, to });
export const swapHeaders = (a: string, b: string): Step => ({ do: 'swapHeaders', a, b });
/** Where a total is stated it follows from the other amounts, so that nothing contradicts them. */
export const restate = (where: Where = ALL): Step => ({ do: 'restate', where });
/** A real change of prices. */
export const reprice = (by: number, where: Where = ALL): readonly Step[] => [
  { do: 'scale', fields: ['monthlyCost'], by, keepsPence: true, where },
  restate(where),
];
