import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { publishSnapshot, type PublishResult } from '../../../../build/publish/publish.ts';
import { createContentNumber } from './snapshot-content.ts';

/** An empty folder that is gone after the test. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deals-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function publishNumber(store: string, number: number): PublishResult {
  const now = new Date(Date.UTC(2026, 10, number, 2, 30));
  return publishSnapshot(store, createContentNumber(number), { now, sources: [], gates: [] });
}
