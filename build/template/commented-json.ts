import { z } from 'zod';

const INDENT = '  ';

/** A comment follows its setting on the same line up to this length. */
const MAX_LINE = 110;

interface SettingTexts {
  /** The descriptions of settings that have none in the schema. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** The defaults of settings that have none in the schema. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

/** The lines of an object of settings: `values` are set, all other settings of `schema` are comments. */
export function writeSettings(
  schema: z.ZodObject,
  values: Readonly<Record<string, unknown>>,
  { meanings = {}, defaults = {} }: SettingTexts = {},
): readonly string[] {
  const names = Object.keys(schema.shape);
  const set = names.filter((name) => name in values);
  const lastSet = set.at(-1);
  const unset = names.filter((name) => !(name in values));
  // Every line but the last ends with a comma, and the last is a set one: so any comment may become a setting.
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

export function meaningOf(schema: z.ZodType): string {
  return z.globalRegistry.get(schema)?.description ?? '';
}

/** The value of a setting in a comment: an example, or else the default. */
function exampleOf(schema: z.ZodType): unknown {
  const examples = z.globalRegistry.get(schema)?.examples as readonly unknown[] | undefined;
  return examples?.[0] ?? defaultOf(schema);
}

function defaultOf(schema: z.ZodType): unknown {
  const found = schema.safeParse(undefined);
  return found.success ? found.data : undefined;
}

/** Compact where it fits on a line. */
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
  const commented = `${first} // ${meaning}`;
  return commented.length <= MAX_LINE ? [commented, ...others] : [...writeComment(meaning), ...lines];
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

/** The lines as comments; existing comments stay unchanged. */
function asComment(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line.startsWith('//') ? line : `// ${line}`));
}
