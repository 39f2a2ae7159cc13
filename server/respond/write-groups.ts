import type { GroupSelection, Projection } from '../query/projection.ts';

/** The groups of an item that may be selected, in the order in which they are written. */
export const GROUPS = [
  'content',
  'pageContent',
  'metaData',
  'specs',
  'images',
] as const satisfies readonly (keyof Projection)[];

export type GroupName = (typeof GROUPS)[number];

/** One group of an item: its attributes by key. */
type Group = Readonly<Record<string, string | undefined>>;

/** The groups of an item of any resource. */
export type Groups = { readonly [Name in GroupName]?: Group };

/** The members of the groups that were asked for, each beginning with a comma; an asked group is always there (D6). */
export function writeGroups(projection: Projection, groups: Groups): string {
  let text = '';
  for (const name of GROUPS) {
    const selection = projection[name];
    if (selection !== undefined) text += writeGroup(name, selection, groups[name] ?? {});
  }
  return text;
}

/** One of the members of `writeGroups`. */
export function writeGroup(name: GroupName, selection: GroupSelection<string>, group: Group): string {
  if (selection === 'whole') return `,"${name}":${JSON.stringify(group)}`;
  let members = '';
  for (const key of selection) {
    const value = group[key];
    // The keys are words of ours and need no escape.
    if (value !== undefined) members += `${members === '' ? '' : ','}"${key}":${JSON.stringify(value)}`;
  }
  return `,"${name}":{${members}}`;
}
