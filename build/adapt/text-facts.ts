import { NUMBER_FIELDS } from './deals-column.ts';
import type { DealField } from './deals-column.ts';
import type { TemplateHole } from './template-hole.ts';
import { matchTemplate, parseTemplate, type HoleText, type TextTemplate } from './text-template.ts';

/** The templates for one column of texts; the first that fits counts. */
export interface TextRule<Column extends string> {
  readonly column: Column;
  readonly templates: readonly TextTemplate[];
}

/** A fact and the column in whose text it stands. */
interface TextFact extends HoleText {
  readonly column: string;
}

/** A text that no template fits, or that one fits in several ways. */
interface UnreadText {
  readonly column: string;
  readonly text: string;
  readonly templates: readonly TextTemplate[];
}

/** What the texts of a record say. */
export interface TextFacts {
  readonly values: ReadonlyMap<TemplateHole, TextFact>;
  readonly unread: readonly UnreadText[];
  /** Two texts that say different things of one field. */
  readonly conflict: { readonly hole: TemplateHole; readonly first: TextFact; readonly second: TextFact } | undefined;
}

/** Of a record without texts. */
export const NO_FACTS: TextFacts = { values: new Map(), unread: [], conflict: undefined };

/** Compiles templates that the schema of the configuration has checked. */
export function compileTemplates(sources: readonly string[]): readonly TextTemplate[] {
  return sources.map((source) => {
    const parsed = parseTemplate(source);
    if (parsed.kind === 'fault') throw new Error(`template ${source}: expected ${parsed.expected}`);
    return parsed.template;
  });
}

/** The rules for the columns that have templates. */
export function compileTextRules<Column extends string>(
  patterns: Readonly<Partial<Record<Column, readonly string[] | undefined>>>,
): readonly TextRule<Column>[] {
  const given = Object.entries(patterns) as [Column, readonly string[] | undefined][];
  return given.flatMap(([column, sources]) =>
    sources === undefined ? [] : [{ column, templates: compileTemplates(sources) }],
  );
}

/** Reads the facts that stand in the texts of a record; a text that is not there says nothing. */
export function readTextFacts<Column extends string>(
  rules: readonly TextRule<Column>[],
  textOf: (column: Column) => string | undefined,
): TextFacts {
  const values = new Map<TemplateHole, TextFact>();
  const unread: UnreadText[] = [];
  let conflict: TextFacts['conflict'];
  for (const { column, templates } of rules) {
    const text = textOf(column);
    if (text === undefined) continue;
    const match = findMatch(templates, text);
    if (match === undefined) unread.push({ column, text, templates });
    for (const [hole, { text: value, found }] of match ?? []) {
      const first = values.get(hole);
      const fact = { text: value, found, column };
      if (first === undefined) values.set(hole, fact);
      else if (!isSameFact(hole, first.text, value)) conflict ??= { hole, first, second: fact };
    }
  }
  return { values, unread, conflict };
}

function findMatch(templates: readonly TextTemplate[], text: string): ReadonlyMap<TemplateHole, HoleText> | undefined {
  for (const template of templates) {
    const match = matchTemplate(template, text);
    if (match?.kind === 'match') return match.values;
    // A template below might fit by ignoring just what makes this one ambiguous.
    if (match?.kind === 'ambiguous') return undefined;
  }
  return undefined;
}

/** Whether two texts say the same of a field: numbers by value, names by their letters and digits. */
export function isSameFact(field: TemplateHole | DealField, a: string, b: string): boolean {
  if ((NUMBER_FIELDS as readonly string[]).includes(field) && a !== 'unlimited' && b !== 'unlimited') {
    return Number(a) === Number(b);
  }
  return foldName(a) === foldName(b);
}

function foldName(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
