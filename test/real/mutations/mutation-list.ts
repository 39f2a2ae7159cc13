import type { Mutation } from './mutation.ts';
import { SAMPLE_MUTATIONS } from './sample-mutations.ts';

/** Every mutation, in the order in which they are reported. */
export const MUTATIONS: readonly Mutation[] = [...SAMPLE_MUTATIONS];
