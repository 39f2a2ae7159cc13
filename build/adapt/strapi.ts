import { VIEWS } from '../../data/field/image.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { CmsAdapter, CmsFile } from './cms-adapter.ts';
import { compileMapping, type CmsMapping } from './cms-mapping.ts';
import type { StrapiSettings } from './cms-settings.ts';
import { collectItems, type CmsItem } from './collect-items.ts';
import { STRAPI_CONVENTION } from './conventional-fields.ts';
import { findPictureByUrl } from './map-entry.ts';
import { findStrapiExports, type StrapiParts } from './strapi-parts.ts';
import { StrapiRows } from './strapi-rows.ts';
import { StrapiView } from './strapi-view.ts';

/** The adapter of a Strapi export, version 4 or 5, in a folder or in an archive. */
export function createReadStrapi(settings: StrapiSettings): CmsAdapter {
  const mapping = compileMapping(settings.mapping, STRAPI_CONVENTION);
  return async (input) => {
    const results: CmsFile[] = [];
    for (const parts of findStrapiExports(input)) {
      const result = await readExport(input.source, parts, mapping, settings);
      await parts.unpack(listOriginals(result));
      results.push(result);
    }
    return results;
  };
}

async function readExport(
  source: string,
  parts: StrapiParts,
  mapping: CmsMapping,
  settings: StrapiSettings,
): Promise<CmsFile> {
  const rows = new StrapiRows();
  const assets = await parts.readInto(rows);
  const view = new StrapiView(rows, assets, settings);
  return collectItems(listItems(view, rows), {
    source,
    path: parts.path,
    mapping,
    findPicture: findPictureByUrl,
    notes: [...rows.notes, ...noteUnstableIds(source, parts.path, rows, mapping)],
  });
}

function* listItems(view: StrapiView, rows: StrapiRows): Generator<CmsItem> {
  for (const { type, notice } of rows.broken) yield { kind: 'broken', type, notice };
  for (const { row, unpublished } of view.documents()) {
    yield { kind: 'entry', entry: view.open(row), origin: row.origin, unpublished };
  }
}

/** Strapi 5 makes a new row, with a new number, whenever a document is published. */
function* noteUnstableIds(source: string, file: string, rows: StrapiRows, mapping: CmsMapping): Generator<Notice> {
  if (!rows.hasDocuments) return;
  for (const { list, fields } of mapping.lists) {
    const id = fields.find(({ name }) => name === 'id')?.rule;
    if (id?.texts.includes('id') !== true || id.isHashed) continue;
    yield { code: 'unstable-id', source, file, field: `mapping.${list}.fields.id`, found: 'id' };
  }
}

/** The originals that the records name, each with the file that names it. */
function listOriginals({ records }: CmsFile): readonly { readonly namingFile: string; readonly path: string }[] {
  const illustrated = [...records.products, ...records.gifts, ...records.giftCategories].flatMap(({ record, origin }) =>
    VIEWS.flatMap((view) => record.images?.[view] ?? []).map((path) => ({ namingFile: origin.file, path })),
  );
  const badged = [...records.networks, ...records.retailers].flatMap(({ record, origin }) =>
    record.logo === undefined ? [] : [{ namingFile: origin.file, path: record.logo }],
  );
  return [...illustrated, ...badged];
}
