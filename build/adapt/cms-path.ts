import { isDeadLink, isEntry, type CmsEntry } from './cms-value.ts';

/** The steps of a path into an entry: the name of a field, or a position in a list. */
export type CmsPath = readonly (string | number)[];

const STEP = /(?:^|\.)([^.[\]]{1,200})|\[([0-9]{1,4})\]|(?:^|\.)?\["([^"]{1,200})"\]/y;

/** `seo.metaTitle`, `gallery[0]`, `meta["a.b"]`; undefined when the text is no path. */
export function parseCmsPath(text: string): CmsPath | undefined {
  const steps: (string | number)[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const [, key, index, quoted] = STEP.exec(text) ?? [];
    const step = key ?? quoted ?? (index === undefined ? undefined : Number(index));
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return typeof steps[0] === 'string' ? steps : undefined;
}

/**
 * What is at the end of a path; undefined when the path leads nowhere. A name steps into every item of a list, so that
 * `gifts.id` is the list of their ids. A position in what is no list is the thing itself when it is 0: a field that
 * holds one picture today may hold several tomorrow.
 */
export function readCmsPath(entry: CmsEntry, path: CmsPath): unknown {
  let value: unknown = entry;
  for (const step of path) {
    value = typeof step === 'number' ? itemAt(value, step) : stepInto(value, step);
    if (value === undefined) return undefined;
  }
  return isBlank(value) ? undefined : value;
}

function stepInto(value: unknown, key: string): unknown {
  if (isDeadLink(value)) return value;
  if (isEntry(value)) return value.get(key);
  if (Array.isArray(value)) {
    // Lists do not hold lists; what does is of no use, and may be of any depth.
    const found = value.flatMap((item) => (Array.isArray(item) ? [] : (stepInto(item, key) ?? [])));
    return found.length === 0 ? undefined : found;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

function itemAt(value: unknown, index: number): unknown {
  if (Array.isArray(value)) return value[index];
  return index === 0 ? value : undefined;
}

/** What editors leave behind in a field that they have emptied. */
function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => !Array.isArray(item) && isBlank(item));
  return value === null || (typeof value === 'string' && value.trim() === '');
}
