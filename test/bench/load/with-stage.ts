import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchData } from '../bench-data.ts';
import type { Program } from './program.ts';

/** Where a case puts its files and its servers, all gone when it ends. */
export interface Stage {
  readonly folder: string;
  /** Waits for a server, and ends it with the case. */
  readonly start: (starting: Promise<Program>) => Promise<Program>;
}

/** Runs a case, and ends its servers and removes its files however it ends. */
export async function withStage<Result>(data: BenchData, run: (stage: Stage) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(data.folder, 'load-'));
  const programs: Program[] = [];
  try {
    return await run({
      folder,
      start: async (starting) => {
        const program = await starting;
        programs.push(program);
        return program;
      },
    });
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}
