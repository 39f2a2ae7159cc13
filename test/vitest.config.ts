import { defineConfig } from 'vitest/config';

/** A suite of test files, which runs by `vitest run --project <name>`. */
function suite(name: string, include: readonly string[], options: object = {}): object {
  return { extends: true, test: { name, include, ...options } };
}

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: new URL('temporary-folder.ts', import.meta.url).pathname,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    projects: [
      // Without isolation the files of a worker share the modules they import, which saves a third of the time. Many tests
      // wait: the third worker has its turn meanwhile.
      suite('unit', ['test/{unit,contract,oracle,docs}/**/*.test.ts'], { isolate: false, maxWorkers: 3 }),
      suite('program', ['test/program/**/*.test.ts'], { testTimeout: 60_000 }),
      // A busy machine draws a page late.
      suite('browser', ['test/browser/**/*.test.ts'], {
        expect: { poll: { timeout: 10_000 } },
        retry: 1,
        testTimeout: 120_000,
      }),
      suite('deploy', ['test/deploy/**/*.test.ts']),
      suite('simulation', ['test/simulation/**/*.test.ts']),
      suite('real', ['test/real/**/*.test.ts']),
      suite('fault', ['test/fault/**/*.test.ts', '!test/fault/load/**']),
      // What these measure means nothing beside other tests.
      suite('load', ['test/fault/load/**/*.test.ts'], { fileParallelism: false, sequence: { groupOrder: 1 } }),
    ],
  },
});
