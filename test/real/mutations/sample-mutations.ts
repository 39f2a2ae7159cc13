import { AWIN_ROWS } from './awin-mutations.ts';
import { HOUSE_ROWS, REQUIRED_ROWS } from './house-mutations.ts';
import type { Mutation } from './mutation.ts';
import { toMutations } from './step.ts';

/** Of the sample: its CSV of ours, and its Awin feed. */
export const SAMPLE_MUTATIONS: readonly Mutation[] = [
  ...toMutations('sample', 'house', HOUSE_ROWS),
  ...toMutations('sample', 'house', REQUIRED_ROWS, true),
  ...toMutations('sample', 'awin', AWIN_ROWS),
];
