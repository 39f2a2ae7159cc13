import type { NetworkRecord } from '../../data/record/supplier.ts';
import { foldText } from './supplier-index.ts';

/** Networks as shops write them behind the name of a phone; the CMS adds its own. */
const NETWORKS =
  `1pmobile, asda mobile, bt, bt mobile, ee, giffgaff, id, id mobile, lebara, lyca, lycamobile, o2, o2 uk, plusnet,
  sky, sky mobile, smarty, spusu, talkmobile, tesco mobile, three, three uk, virgin, virgin mobile, vodafone, vodafone uk, voxi`.split(
    /,\s+/,
  );

/**
 * Takes out of a name the networks that it names in brackets, or after a dash at its end: they say nothing of the phone
 * (INPUTS "Matching", "Words"). A number is no network there: `Nothing Phone (3)`.
 */
export function createStripNetworks(
  networks: readonly Pick<NetworkRecord, 'name' | 'slug' | 'aliases'>[],
): (name: string) => string {
  const own = networks.flatMap(({ name, slug, aliases }) => [name, slug, ...aliases]).map(foldText);
  const known = new Set([...NETWORKS, ...own].filter((name) => /\p{L}/u.test(name)));
  const strip = (whole: string, inner: string): string => (known.has(foldText(inner)) ? ' ' : whole);
  return (name) =>
    name.replace(/[([]([^()[\]]{1,60})[)\]]/g, strip).replace(/\s[-\u2013\u2014|]\s([^-\u2013\u2014|]{1,60})$/, strip);
}
