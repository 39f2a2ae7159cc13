import { AWIN_ROWS } from './awin-mutations.ts';
import { CMS_MUTATIONS } from './cms-mutations.ts';
import { HOUSE_ROWS, REQUIRED_ROWS } from './house-mutations.ts';
import { BENCH_MUTATIONS, MIXED_MUTATIONS } from './mixed-mutations.ts';
import type { Mutation } from './mutation.ts';
import { toMutations } from './step.ts';

/** Every mutation, in the order in which they are reported. */
export const MUTATIONS: readonly Mutation[] = [
  ...toMutations('sample', 'house', HOUSE_ROWS),
  ...toMutations('sample', 'house', REQUIRED_ROWS, true),
  ...toMutations('sample', 'awin', AWIN_ROWS),
  ...CMS_MUTATIONS,
  ...MIXED_MUTATIONS,
  ...BENCH_MUTATIONS,
];
