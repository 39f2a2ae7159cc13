import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { AnswerCache } from '../http/answer-cache.ts';
import type { Fragments } from '../respond/fragments.ts';

/** A snapshot that can be answered from: the index, and the text made from it. Immutable. */
export interface OpenSnapshot {
  readonly manifest: Manifest;
  readonly index: CatalogueIndex;
  readonly fragments: Fragments;
  /** What goes before the paths of pictures; part of what an answer depends on. */
  readonly pictureBaseUrl: string;
  readonly answers: AnswerCache;
}

/** The same content under the manifest of another snapshot. */
export function renewSnapshot(snapshot: OpenSnapshot, manifest: Manifest, cacheBytes: number): OpenSnapshot {
  // Answers name their snapshot, so those that are kept are of no use any more.
  return { ...snapshot, manifest, answers: new AnswerCache(cacheBytes) };
}
