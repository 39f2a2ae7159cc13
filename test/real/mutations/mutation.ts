import { readFileSync } from 'node:fs';
import { readTable } from '../../support/table.ts';
import type { CmsStep } from './cms-step.ts';
import type { Step, Where } from './damage.ts';
import type { WorldName } from './world.ts';

/**
 * What INPUTS wants of a mutation.
 *
 * - `safe`: nothing wrong is served; records are quarantined with a code, or the source is held.
 * - `held`: the source is held, its deals of before are served, the rest is published: exit status 4.
 * - `refused`: exit status 3, and the snapshot stays.
 * - `refused or held`: of the CMS, which the feeds depend on.
 * - `notice`: served as stated, and each deal has a notice.
 * - `accept`: a real change, or none: exit status 0, and everything is served as it is written.
 * - `silent`: nothing can tell it from a real change. Reported, never failed; `because` says why.
 */
type Wanted = 'safe' | 'held' | 'refused' | 'refused or held' | 'notice' | 'accept' | 'silent';

/** What a line of `feeds/` says of a mutation beside its steps. */
interface MutationFacts {
  readonly name: string;
  readonly wanted: Wanted;
  readonly because?: string;
  /** A price that moves by less than 2.5 times looks like a promotion, and is not counted as wrong. */
  readonly allowsSmallMoves?: true;
  /** The source is marked `required`. */
  readonly required?: true;
}

export interface Mutation extends MutationFacts {
  readonly world: WorldName;
  /** The feed that is damaged. */
  readonly feed: string;
  readonly steps: readonly Step[];
  /** A damage of the CMS in place of one of the feed. */
  readonly cms?: CmsStep;
}

interface MutationLine extends MutationFacts {
  /** The same damage of several parts of the feed: one mutation for each. */
  readonly parts?: readonly (keyof typeof PARTS)[];
  /** The rows that every step changes. */
  readonly where?: Where;
  readonly steps: readonly StepLine[];
}

/** A step as a line has it: a pattern as `/text/flags`, the three amounts as `money`, a body by its name. */
type StepLine = Partial<Omit<Step, 'fields' | 'find'>> & {
  readonly do: Step['do'];
  readonly fields?: readonly string[] | 'money';
  readonly find?: string;
  readonly name?: string;
};

type CmsLine = MutationFacts & CmsStep & { readonly body?: string };

/** The parts that a gate can tell from the rest, and the shares that only a look at each record can. */
const PARTS = {
  all: {},
  'a big retailer': { part: 'big' },
  'a small retailer': { part: 'small' },
  'a network': { part: 'network' },
  half: { share: 0.5 },
  'a tenth': { share: 0.1 },
  '5 %': { share: 0.05 },
  'one row': { share: 'one' },
} as const satisfies Record<string, Where>;

/** What arrives in place of a feed, by name. */
const BODIES = JSON.parse(readFileSync(new URL('bodies.json', import.meta.url), 'utf8')) as Record<string, string>;

/** Every mutation, in the order in which they are reported. */
export const MUTATIONS: readonly Mutation[] = [
  ...readMutations('sample', 'house'),
  ...readMutations('sample', 'awin'),
  ...readTable<CmsLine>(import.meta.url, 'feeds/sample-cms.ndjson').map(readCmsMutation),
  ...readMutations('mixed', 'lines'),
  ...readMutations('mixed', 'sheet'),
  ...readMutations('mixed', 'shop'),
  ...readMutations('bench', 'harbour'),
  ...readMutations('bench', 'stores'),
];

function readMutations(world: WorldName, feed: string): Mutation[] {
  const lines = readTable<MutationLine>(import.meta.url, `feeds/${world}-${feed}.ndjson`);
  return lines.flatMap(({ parts, where = {}, steps, ...facts }) => {
    const create = (of: Where) => ({ ...facts, world, feed, steps: steps.map((step) => readStep(step, of)) });
    if (parts === undefined) return [create(where)];
    return parts.map((part) => ({ ...create(PARTS[part]), name: `${facts.name} (${part})` }));
  });
}

function readStep({ fields = [], find = '', name, to = '', ...step }: StepLine, where: Where): Step {
  const [, pattern = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(find) ?? [];
  return {
    where,
    by: 1,
    places: 2,
    keepsPence: false,
    at: 0,
    end: 1,
    on: 'line',
    cells: {},
    style: {},
    ...step,
    fields: fields === 'money' ? ['upfrontCost', 'monthlyCost', 'totalCost'] : fields,
    find: new RegExp(pattern, flags),
    to: name === undefined ? to : bodyOf(name),
  };
}

function readCmsMutation({ name, wanted, because, body, ...cms }: CmsLine): Mutation {
  return {
    name: `CMS: ${name}`,
    world: 'sample',
    feed: 'house',
    steps: [],
    wanted,
    cms: body === undefined ? cms : { ...cms, text: bodyOf(body) },
    ...(because === undefined ? {} : { because }),
  };
}

function bodyOf(name: string): string {
  const body = BODIES[name];
  if (body === undefined) throw new RangeError(`bodies.json: expected ${name}`);
  return body;
}
