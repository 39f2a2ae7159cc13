import type { Notice } from '../../data/report/notice.ts';
import { isJsonObject, splitJsonLines, tryParseJson, valueAt, type JsonObject } from '../source/json.ts';
import type { OpenedFile } from '../source/open-file.ts';
import type { SourceLocation } from '../source/record.ts';
import { readTextLines } from '../source/text-lines.ts';
import { noticeAt } from '../source/notice-at.ts';
import type { StrapiPart } from './strapi-export.ts';

/** A row of a content type, or a component within one. */
export interface StrapiRow {
  /** `api::phone.phone`, `shared.seo` */
  readonly type: string;
  readonly id: string;
  readonly data: JsonObject;
  readonly origin: SourceLocation;
}

interface LinkEnd {
  /** The row of this end. */
  readonly key: string;
  readonly type: string;
  readonly field: string | undefined;
  readonly position: number;
}

/** Finds the type of a line without parsing it: most lines of an export may be irrelevant. */
const LINE_TYPE = /^\{\s*"type"\s*:\s*"([^"\\]{1,200})"/;

/**
 * The content of an export: the rows of the site's own content types and components, and the files they show. Users with
 * their passwords, sessions and tokens are skipped, most of them unparsed, and no notice quotes a line.
 */
export class StrapiRows {
  /** Rows that cannot be read; the type is undefined when that cannot be read either. */
  readonly broken: { readonly type: string | undefined; readonly notice: Notice }[] = [];
  readonly notices: Notice[] = [];
  readonly #rows = new Map<string, StrapiRow>();
  /** The other ends of the links of a row's field. */
  readonly #links = new Map<string, LinkEnd[]>();
  /** The schemas of content types and components, by their names. */
  readonly #schemas = new Map<unknown, unknown>();

  async read(part: StrapiPart, file: OpenedFile): Promise<void> {
    for await (const lines of splitJsonLines(file, readTextLines(file))) {
      for (const { line, text } of lines) {
        const type = part === 'entities' ? LINE_TYPE.exec(text)?.[1] : undefined;
        if (type !== undefined && !isOurs(type)) continue;
        const value = tryParseJson(text);
        const origin = { source: file.source, file: file.path, line };
        if (part === 'entities') this.#addEntity(value, type, origin);
        else if (part === 'links') this.#addLink(value, origin);
        else this.#schemas.set(valueAt(value, 'uid'), value);
      }
    }
  }

  /** All rows of the site's own content types. */
  contentRows(): readonly StrapiRow[] {
    return [...this.#rows.values()].filter(({ type }) => type.startsWith('api::'));
  }

  find(key: string): StrapiRow | undefined {
    return this.#rows.get(key);
  }

  /** The keys of the rows that a field links to, in the editor's order. */
  targetsOf({ type, id }: StrapiRow, field: string): readonly string[] {
    const ends = this.#links.get(rowKey(rowKey(type, id), field)) ?? [];
    return [...new Set(ends.toSorted((a, b) => a.position - b.position).map(({ key }) => key))];
  }

  /** The attribute of a field in the schema of its type: `type`, `component`. */
  attribute(type: string, field: string): unknown {
    return valueAt(this.#schemas.get(type), 'attributes', field);
  }

  #addEntity(value: unknown, lineType: string | undefined, origin: SourceLocation): void {
    const { type, id, data } = isJsonObject(value) ? value : {};
    if (typeof type === 'string' && !isOurs(type)) return;
    if (typeof type === 'string' && isId(id) && isJsonObject(data)) {
      this.#rows.set(rowKey(type, String(id)), { type, id: String(id), data, origin });
      return;
    }
    const notice = noticeAt(origin, { code: 'malformed-record', expected: 'a row as JSON, with type, id and data' });
    this.broken.push({ type: lineType, notice });
  }

  /** Stores the link in both directions: one side owns it, but either may be mapped. */
  #addLink(value: unknown, origin: SourceLocation): void {
    const left = readLinkEnd(valueAt(value, 'left'));
    const right = readLinkEnd(valueAt(value, 'right'));
    if (left === undefined || right === undefined) {
      this.notices.push(noticeAt(origin, { code: 'malformed-link', expected: 'a link as JSON' }));
      return;
    }
    if (!isOurs(left.type) || !isOurs(right.type)) return;
    for (const [from, to] of [
      [left, right],
      [right, left],
    ] as const) {
      if (from.field === undefined) continue;
      const key = rowKey(from.key, from.field);
      const ends = this.#links.get(key) ?? [];
      ends.push({ ...to, position: from.position });
      this.#links.set(key, ends);
    }
  }
}

export function rowKey(type: string, id: string): string {
  return `${type}\n${id}`;
}

/** The site's own types, its components (no `::` in the name), and the files of the media library. */
function isOurs(type: string): boolean {
  return type.startsWith('api::') || type === 'plugin::upload.file' || !type.includes('::');
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function readLinkEnd(value: unknown): LinkEnd | undefined {
  const { type, ref, field, pos } = isJsonObject(value) ? value : {};
  if (typeof type !== 'string' || !isId(ref)) return undefined;
  return {
    key: rowKey(type, String(ref)),
    type,
    field: typeof field === 'string' ? field : undefined,
    position: typeof pos === 'number' ? pos : 0,
  };
}
