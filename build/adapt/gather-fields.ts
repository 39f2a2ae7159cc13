import type { Notice } from '../../data/report/notice.ts';
import { showFound } from '../source/quote.ts';
import { parseCondition } from './condition-text.ts';
import { fillConstant, type Constants } from './constant-text.ts';
import { NUMBER_FIELDS, type DealField } from './deals-column.ts';
import { noticeAt, type RecordPlace } from './notice-place.ts';
import type { DealFields, FieldCell } from './read-deal.ts';
import { isTemplateHole, type TemplateHole } from './template-hole.ts';
import { isSameFact, type TextFacts } from './text-facts.ts';
import { showTemplates } from './text-template.ts';

/** Where the fields of a deal come from in a format of somebody else. */
export interface FieldSources {
  /** What the record has in columns or attributes of its own. */
  readonly own: ReadonlyMap<DealField, FieldCell>;
  /** What its texts say. */
  readonly facts: TextFacts;
  /** What the configuration says of every such record. */
  readonly constants: Constants;
  /** What the format calls a field, where it has a name for it. */
  readonly names: Readonly<Partial<Record<DealField, string>>>;
  /** What the configuration may say of a field whose text cannot be read. */
  remedyOf?(field: DealField, found: string): string | undefined;
}

/** Without these a deal is not known; a text that should give one must be understood. */
const DECISIVE_HOLES: readonly TemplateHole[] = [
  'productName',
  'storage',
  'condition',
  'network',
  'contractName',
  'contractMonths',
  'dataGb',
  'callMinutes',
  'textMessages',
  'upfrontCost',
  'monthlyCost',
];

/** Two sources that differ in these cannot both be right; in a name they may. */
const COMPARED_FIELDS: readonly DealField[] = [...NUMBER_FIELDS, 'storage', 'condition'];

/**
 * The fields of a deal as its sources give them: what stands in its texts, else what the record has of its own, else the
 * constants of the configuration. Nothing is assumed: what the sources contradict each other in is a doubt.
 */
export function gatherFields(sources: FieldSources): DealFields {
  const { own, facts, constants, names } = sources;
  const find = (field: DealField): FieldCell | undefined => cellOfFact(facts, field) ?? own.get(field);
  return {
    cell: (field) => {
      const constant = constants[field];
      if (constant === undefined) return find(field);
      const text = fillConstant(constant, (hole) => find(hole)?.found);
      return text === undefined ? undefined : { text, found: text };
    },
    nameOf: (field) => names[field] ?? field,
    remedyOf: (field, found) =>
      constants[field] === undefined
        ? sources.remedyOf?.(field, found)
        : `correct the constant of \`${field}\` in the configuration`,
  };
}

/** Why the texts of a record cannot be relied on, if so; `patternsPath` is where the configuration has the templates. */
export function findDoubt(place: RecordPlace, sources: FieldSources, patternsPath: string): Notice | undefined {
  return findContradiction(place, sources) ?? findUnreadText(place, sources, patternsPath);
}

function findContradiction(place: RecordPlace, sources: FieldSources): Notice | undefined {
  const { facts } = sources;
  if (facts.conflict !== undefined) {
    const { hole, first, second } = facts.conflict;
    const expected = `${first.found} as in ${first.column}`;
    const found = `${second.found} in ${second.column}`;
    return noticeAt(place, 'contradictory-facts', { field: hole, expected, found: showFound(found) });
  }
  for (const field of COMPARED_FIELDS) {
    const [first, second] = listSources(field, sources).filter(
      ({ cell }, index, all) => index === 0 || !isSameCell(field, all[0]?.cell, cell),
    );
    if (first === undefined || second === undefined) continue;
    const expected = `${first.cell.found} as in ${first.place}`;
    const found = `${second.cell.found} in ${second.place}`;
    return noticeAt(place, 'contradictory-facts', { field, expected, found: showFound(found) });
  }
  return undefined;
}

/** What each source says of a field, and what the source is called. */
function listSources(
  field: DealField,
  { own, facts, constants, names }: FieldSources,
): readonly { readonly place: string; readonly cell: FieldCell }[] {
  const fact = cellOfFact(facts, field);
  const cell = own.get(field);
  const constant = constants[field];
  return [
    ...(cell === undefined ? [] : [{ place: names[field] ?? 'the record', cell }]),
    ...(fact === undefined ? [] : [{ place: facts.values.get(field as TemplateHole)?.column ?? 'a text', cell: fact }]),
    ...(constant === undefined ? [] : [{ place: 'constants', cell: { text: constant, found: constant } }]),
  ];
}

function isSameCell(field: DealField, a: FieldCell | undefined, b: FieldCell): boolean {
  return a?.text !== undefined && b.text !== undefined && isSameFact(field, a.text, b.text);
}

function findUnreadText(place: RecordPlace, { own, facts }: FieldSources, patternsPath: string): Notice | undefined {
  for (const { column, text, templates } of facts.unread) {
    const missing = templates
      .flatMap(({ holes }) => holes)
      .filter((hole) => DECISIVE_HOLES.includes(hole) && !facts.values.has(hole))
      .filter((hole) => !own.has(hole as DealField));
    if (missing.length === 0) continue;
    const holes = [...new Set(missing)].map((hole) => `{${hole}}`).join(', ');
    return noticeAt(place, 'unmatched-pattern', {
      field: column,
      expected: `a text that fits ${showTemplates(templates)} in one way`,
      found: showFound(text),
      remedy: `add a pattern with ${holes} for such texts to ${patternsPath}.${column}`,
    });
  }
  return undefined;
}

function cellOfFact(facts: TextFacts, field: DealField): FieldCell | undefined {
  if (!isTemplateHole(field)) return undefined;
  const fact = facts.values.get(field);
  if (fact === undefined) return undefined;
  const { text, found } = fact;
  if (field === 'condition') return { text: parseCondition(text), found, expected: 'new, refurbished or used' };
  return { text, found };
}
