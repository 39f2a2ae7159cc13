import { z } from 'zod';
import { noticeSchema } from '../report/notice.ts';
import { lastBuildSchema, snapshotReportSchema } from '../report/report.ts';
import { changesSchema } from '../snapshot/changes.ts';
import {
  currentSchema,
  dealsLineSchema,
  dictionariesSchema,
  giftCategoryLineSchema,
  giftLineSchema,
  manifestSchema,
  pictureLineSchema,
  productLineSchema,
  productOriginLineSchema,
  provenanceLineSchema,
  type SnapshotFile,
} from '../snapshot/format.ts';

export type PublishedFile = SnapshotFile | 'manifest.json' | 'current.json' | 'last-build.json';

/** The shape of every file of a store: of each line of an `.ndjson`, of the whole of a `.json`. */
export const PUBLISHED_SHAPES = {
  'dictionaries.json': dictionariesSchema,
  'products.ndjson': productLineSchema,
  'gifts.ndjson': giftLineSchema,
  'gift-categories.ndjson': giftCategoryLineSchema,
  'pictures.ndjson': pictureLineSchema,
  'deals.ndjson': dealsLineSchema,
  'provenance.ndjson': provenanceLineSchema,
  'product-origins.ndjson': productOriginLineSchema,
  'quarantine.ndjson': noticeSchema,
  'notices.ndjson': noticeSchema,
  'report.json': snapshotReportSchema,
  'changes.json': changesSchema,
  'manifest.json': manifestSchema,
  'current.json': currentSchema,
  'last-build.json': lastBuildSchema,
} as const satisfies Record<PublishedFile, z.ZodType>;

/** What a line of an `.ndjson` holds, or the whole of a `.json`. */
export type Published<File extends PublishedFile> = z.infer<(typeof PUBLISHED_SHAPES)[File]>;

export const PUBLISHED_FILES = Object.keys(PUBLISHED_SHAPES) as readonly PublishedFile[];

/** `products.schema.json`: the JSON Schema of `products.ndjson`. */
export function schemaFileName(file: PublishedFile): string {
  return `${file.slice(0, file.lastIndexOf('.'))}.schema.json`;
}

/**
 * The JSON Schema (2020-12) of a published file, for readers in any language.
 *
 * The shapes of published files have no refinements and no pattern flags, because the conversion drops them silently. A
 * test compares zod and ajv on faulty lines.
 */
export function createPublishedSchema(file: PublishedFile): Record<string, unknown> {
  const isLines = file.endsWith('.ndjson');
  const { $schema, ...schema } = z.toJSONSchema(PUBLISHED_SHAPES[file], {
    target: 'draft-2020-12',
    io: 'output',
    unrepresentable: 'throw',
  });
  return {
    $schema,
    $id: schemaFileName(file),
    title: isLines ? `A line of ${file}` : file,
    ...schema,
  };
}
