import { defineConfig } from 'vitest/config';

/** Tests of a program under load, and of what only these notice: what they measure means nothing beside other tests. */
const UNDER_LOAD = ['test/fault/load/**/*.test.ts'];

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: new URL('temporary-folder.ts', import.meta.url).pathname,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        // Not by `exclude`, which would replace what a command line excludes.
        test: {
          name: 'side by side',
          include: ['test/**/*.test.ts', ...UNDER_LOAD.map((pattern) => `!${pattern}`)],
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: UNDER_LOAD, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
