import type { OpenedFile } from '../source/open-file.ts';
import { readCatalogue } from './catalogue.ts';
import type { CmsAdapter, CmsFile } from './cms-adapter.ts';
import { createReadContentful } from './contentful.ts';
import { createReadStrapi } from './strapi.ts';
import { createReadWordpress } from './wordpress.ts';
import type { CmsSourceConfig } from './source-config.ts';

/** The adapter of a CMS source, with its settings. */
export function createCmsAdapter(source: CmsSourceConfig): CmsAdapter {
  switch (source.adapter) {
    case 'catalogue':
      return eachFile(readCatalogue);
    case 'strapi':
      return createReadStrapi(source);
    case 'contentful':
      return eachFile(createReadContentful(source));
    case 'wordpress':
      return createReadWordpress(source);
  }
}

/** The adapter of a format of which every file stands for itself. */
function eachFile(read: (file: OpenedFile) => Promise<CmsFile>): CmsAdapter {
  return async ({ files, open }) => {
    const results: CmsFile[] = [];
    for (const file of files) results.push(await read(open(file)));
    return results;
  };
}
