import type { ContentKey, MetaDataKey } from '../../data/field/content.ts';
import type { ImageKey } from '../../data/field/image.ts';
import type { SpecKey } from '../../data/field/spec.ts';

/** What of a group is wanted: the whole object, or the listed attributes, in the order in which they are written. */
export type GroupSelection<Key extends string> = 'whole' | readonly Key[];

/** The groups of an item that the answer shows; an absent group was not asked for (D6). */
export interface Projection {
  readonly content?: GroupSelection<ContentKey>;
  readonly pageContent?: 'whole';
  readonly metaData?: GroupSelection<MetaDataKey>;
  readonly specs?: GroupSelection<SpecKey>;
  readonly images?: GroupSelection<ImageKey>;
}
