import type { OpenedFile } from '../source/open-file.ts';
import { readJson } from '../source/read-json.ts';
import type { CmsFile } from './cms-adapter.ts';
import { compileMapping } from './cms-mapping.ts';
import type { ContentfulSettings } from './cms-settings.ts';
import { collectItems, type CmsItem } from './collect-items.ts';
import { openContentfulSpace, type ContentfulSpace } from './contentful-space.ts';
import { CONTENTFUL_CONVENTION } from './conventional-fields.ts';
import { findPictureByUrl } from './map-entry.ts';
import { foundFacts, noticeAt } from './notice-place.ts';

/** The adapter of a space export of Contentful: one JSON file for each space. */
export function createReadContentful(settings: ContentfulSettings): (file: OpenedFile) => Promise<CmsFile> {
  const mapping = compileMapping(settings.mapping, CONTENTFUL_CONVENTION);
  return async (file) => {
    const space = openContentfulSpace(file, await readJson(file), settings.locale);
    return collectItems(listItems(file, space), {
      source: file.source,
      path: file.path,
      mapping,
      findPicture: findPictureByUrl,
    });
  };
}

function* listItems(file: OpenedFile, space: ContentfulSpace): Generator<CmsItem> {
  for (const [index, value] of space.entries.entries()) {
    const origin = { source: file.source, file: file.path, line: index + 1, list: 'entries' };
    const entry = space.describe(value);
    if (entry === undefined) {
      const facts = { field: 'entries', expected: 'an entry with sys.id and a content type', ...foundFacts(value) };
      yield { kind: 'broken', type: undefined, notice: noticeAt(origin, 'malformed-record', facts) };
      continue;
    }
    const { state } = entry;
    yield {
      kind: 'entry',
      entry: entry.open(),
      origin,
      isChanged: state === 'changed',
      unpublished:
        state === 'draft' || state === 'archived'
          ? { field: 'sys.publishedVersion', expected: 'a published entry', found: state }
          : undefined,
    };
  }
}
