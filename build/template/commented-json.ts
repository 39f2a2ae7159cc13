import { z } from 'zod';

const INDENT = '  ';

/** A comment stands beside its setting as long as the line stays within this. */
const MAX_LINE = 110;

interface SettingTexts {
  /** What settings are for, where the schema does not say. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** What they are when nobody sets them, where the schema does not say. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

/** The lines of an object of settings: what `values` has is set, all else that `schema` knows is there as a comment. */
export function writeSettings(
  schema: z.ZodObject,
  values: Readonly<Record<string, unknown>>,
  { meanings = {}, defaults = {} }: SettingTexts = {},
): readonly string[] {
  const names = Object.keys(schema.shape);
  const set = names.filter((name) => name in values);
  const lastSet = set.at(-1);
  const unset = names.filter((name) => !(name in values));
  // A comma ends every line but the last, which is one that is set: so any comment may become a setting.
  const ordered = [...set.slice(0, -1), ...unset, ...(lastSet === undefined ? [] : [lastSet])];
  return ordered.flatMap((name) => {
    const setting = schema.shape[name] as z.ZodType;
    const meaning = meanings[name] ?? meaningOf(setting);
    if (!(name in values)) {
      const example = exampleOf(setting) ?? defaults[name];
      return asComment(withMeaning(writeMember(name, example, ','), meaning));
    }
    return withMeaning(writeMember(name, values[name], name === lastSet ? '' : ','), meaning);
  });
}

/** The lines of `"name": value`. */
export function writeMember(name: string, value: unknown, end: string): readonly string[] {
  return `${JSON.stringify(name)}: ${formatJson(value)}${end}`.split('\n');
}

export function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `${INDENT}${line}`);
}

/** What a schema says of itself. */
export function meaningOf(schema: z.ZodType): string {
  return z.globalRegistry.get(schema)?.description ?? '';
}

/** What to write for a setting that nobody has chosen: an example that says more than the default, or the default. */
function exampleOf(schema: z.ZodType): unknown {
  const examples = z.globalRegistry.get(schema)?.examples as readonly unknown[] | undefined;
  return examples?.[0] ?? defaultOf(schema);
}

function defaultOf(schema: z.ZodType): unknown {
  const found = schema.safeParse(undefined);
  return found.success ? found.data : undefined;
}

/** Compact where it fits on a line, as a person would write it. */
function formatJson(value: unknown): string {
  const compact = JSON.stringify(value, undefined, 1)
    .replaceAll(/\n */g, ' ')
    .replaceAll(/\[ | \]/g, (bracket) => bracket.trim());
  if (compact.length <= 70) return compact;
  const lines = (members: readonly string[]): string => members.map((member) => `\n${INDENT}${member}`).join(',');
  const inner = (member: unknown): string => formatJson(member).replaceAll('\n', `\n${INDENT}`);
  if (Array.isArray(value)) return `[${lines(value.map(inner))}\n]`;
  const members = Object.entries(value as object).map(([name, member]) => `${JSON.stringify(name)}: ${inner(member)}`);
  return `{${lines(members)}\n}`;
}

function withMeaning(lines: readonly string[], meaning: string): readonly string[] {
  if (meaning === '') return lines;
  const [first = '', ...others] = lines;
  const beside = `${first} // ${meaning}`;
  return beside.length <= MAX_LINE ? [beside, ...others] : [...writeComment(meaning), ...lines];
}

/** A sentence as lines of comment. */
export function writeComment(text: string): readonly string[] {
  const lines: string[] = [];
  let line = '//';
  for (const word of `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.split(' ')) {
    if (line.length + 1 + word.length > MAX_LINE) {
      lines.push(line);
      line = '//';
    }
    line = `${line} ${word}`;
  }
  return [...lines, line];
}

/** The lines as comments; those that are comments already stay as they are. */
function asComment(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line.startsWith('//') ? line : `// ${line}`));
}
