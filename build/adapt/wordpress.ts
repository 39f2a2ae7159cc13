import type { Notice } from '../../data/report/notice.ts';
import type { CmsAdapter } from './cms-adapter.ts';
import { compileMapping } from './cms-mapping.ts';
import type { WordpressSettings } from './cms-settings.ts';
import { collectItems, type CmsItem } from './collect-items.ts';
import { WORDPRESS_CONVENTION } from './conventional-fields.ts';
import { noticeAt } from './notice-place.ts';
import { readWordpressExport, type WordpressItem } from './wordpress-export.ts';
import { WordpressSite } from './wordpress-site.ts';

/**
 * The adapter of WordPress exports (WXR). All files of a source are parts of one site, since WordPress splits a large
 * export and a post and its picture may come in different parts.
 */
export function createReadWordpress(settings: WordpressSettings): CmsAdapter {
  const mapping = compileMapping(settings.mapping, WORDPRESS_CONVENTION);
  return async ({ source, files, open }) => {
    const site = new WordpressSite();
    const items: WordpressItem[] = [];
    for (const file of files) {
      await readWordpressExport(open(file), {
        item: (item) => {
          const isMapped = mapping.lists.some(({ type }) => type === item.type);
          if (isMapped || item.type === 'attachment') site.add(item);
          if (isMapped) items.push(item);
          else if (item.kind === 'post' && item.type !== 'attachment') items.push(withoutContent(item));
        },
        siteName: (name) => site.nameIt(name),
      });
    }
    const path = files.length === 1 ? files[0]?.path : undefined;
    return [collectItems(listItems(items, site), { source, path, mapping, findPicture: site.findPicture })];
  };
}

/** What nobody has mapped is only counted. */
function withoutContent(item: WordpressItem): WordpressItem {
  return { ...item, fields: new Map(), meta: new Map(), terms: [] };
}

function* listItems(items: readonly WordpressItem[], site: WordpressSite): Generator<CmsItem> {
  for (const item of items) {
    if (item.fault !== undefined) {
      const facts = { expected: 'a well-formed item', found: item.fault.slice(0, 80) };
      yield { kind: 'broken', type: item.type || undefined, notice: noticeAt(item.origin, 'malformed-record', facts) };
      continue;
    }
    // Something of another namespace, or of none that we know: an item only in name.
    if (item.type === '') continue;
    yield { kind: 'entry', entry: site.open(item), origin: item.origin, unpublished: whyUnpublished(item) };
  }
}

/** A term has no status, and a picture that of its post. */
function whyUnpublished({ kind, fields }: WordpressItem): Pick<Notice, 'field' | 'found' | 'expected'> | undefined {
  if (kind === 'term') return undefined;
  const status = fields.get('status');
  if (status !== 'publish')
    return { field: 'status', expected: 'publish', ...(status !== undefined && { found: status.slice(0, 80) }) };
  const hasPassword = (fields.get('post_password') ?? '') !== '';
  return hasPassword ? { field: 'post_password', expected: 'a post without a password' } : undefined;
}
