/**
 * Work in steps of a millisecond or two. The caller may let other work run between two steps. The last step returns the
 * result.
 */
export type IncrementalTask<Result> = Generator<undefined, Result>;
