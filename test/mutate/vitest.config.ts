import { defineConfig } from 'vitest/config';

// Each mutant runs the tests that reach it, in one process: so without the projects of `npm test`.
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    globalSetup: new URL('../temporary-folder.ts', import.meta.url).pathname,
    testTimeout: 30_000,
    include: [
      'test/unit/{build/{deals,gate,match,publish},data,server}/**/*.test.ts',
      'test/{contract,oracle}/**/*.test.ts',
    ],
  },
});
