import { ENDPOINTS, type Endpoint } from '../../data/query/endpoint.ts';
import {
  FILTER_KINDS,
  FILTERS,
  OPERATOR_MEANINGS,
  takesList,
  type FilterOperator,
  type FilterRow,
} from '../../data/query/filter.ts';
import { findParameterText, type ParameterText } from '../../data/query/parameter.ts';
import { describeField } from '../../data/field/field.ts';
import { REQUEST_HEADERS } from '../../data/query/header.ts';
import type { ValueWord } from '../../data/query/vocabulary.ts';

type Components = 'schemas' | 'parameters' | 'headers';

/** A part of the document, as JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Where a component of the document stands. */
export function pointTo(components: Components, name: string): string {
  return `#/components/${components}/${name}`;
}

export function refer(components: Components, name: string): Json {
  return { $ref: pointTo(components, name) };
}

/** Every parameter of the interface, by the name of its component. */
export function describeParameters(): Readonly<Record<string, Json>> {
  const components: Record<string, Json> = {
    id: {
      name: 'id',
      in: 'path',
      required: true,
      description: 'The id of a product, decimal digits, compared as text: `012` is not `12`.',
      schema: { type: 'string', pattern: '^[0-9]+$' },
      examples: { product: { summary: 'a phone of the sample', value: '101' } },
    },
    'if-none-match': {
      name: 'If-None-Match',
      in: 'header',
      description: describeField({ meaning: REQUEST_HEADERS['If-None-Match'] }),
      schema: { type: 'string' },
    },
  };
  for (const endpoint of ENDPOINTS) {
    for (const parameter of endpoint.parameters) {
      if (parameter === 'filter') continue;
      const text = findParameterText(endpoint, parameter);
      components[text.component] ??= describeParameter(parameter, text);
    }
  }
  for (const filter of FILTERS) components[`filter-${filter.name}`] = describeFilter(filter);
  return components;
}

/** References to the parameters of an endpoint, in the order of their table. */
export function referToParameters(endpoint: Endpoint): readonly Json[] {
  const components = endpoint.parameters.flatMap((name) =>
    name === 'filter'
      ? FILTERS.map((filter) => `filter-${filter.name}`)
      : [findParameterText(endpoint, name).component],
  );
  return [...(endpoint.name === 'product' ? ['id'] : []), ...components, 'if-none-match'].map((name) =>
    refer('parameters', name),
  );
}

function describeParameter(name: string, text: ParameterText): Json {
  const paragraphs = [
    text.meaning,
    `Grammar: \`${text.grammar}\``,
    ...(text.words.length === 0 ? [] : [listWords(text.words)]),
  ];
  return {
    name,
    in: 'query',
    description: paragraphs.join('\n\n'),
    schema: { type: 'string', pattern: text.pattern },
    ...(text.examples.length === 0 ? {} : { examples: nameExamples(text.examples) }),
    'x-grammar': text.grammar,
    'x-words': text.words,
  };
}

function describeFilter({ name, on, kind, effect, examples }: FilterRow): Json {
  const value = FILTER_KINDS[kind];
  const { operators } = value;
  const grammar = operators.includes('has') ? 'has{<word> <word> …}' : `${operators.join('|')}{<value>,…}`;
  const unit = value.unit === undefined ? '' : ` Unit: ${value.unit}.`;
  const paragraphs = [
    `Keeps ${effect}${on === 'deal' ? '' : ', with or without deals'}. A value is ${value.what}.${unit}`,
    `Grammar: \`${grammar}\`${operators.includes('lt') ? '; `lt`, `lte`, `gt` and `gte` take one value' : ''}. ` +
      'Each operator may be given once, as a parameter of its own.',
    listWords(operators.map((word) => ({ word, effect: OPERATOR_MEANINGS[word] }))),
  ];
  return {
    name: `filter[${name}]`,
    in: 'query',
    description: paragraphs.join('\n\n'),
    style: 'form',
    explode: true,
    schema: {
      type: 'array',
      minItems: 1,
      maxItems: operators.length,
      items: { type: 'string', pattern: filterPattern(operators, value.pattern) },
    },
    examples: nameExamples(examples.map(([summary, ...value]) => [summary, value])),
    'x-grammar': grammar,
    'x-words': value.words ?? [],
    'x-operators': operators.map((word) => ({ word, effect: OPERATOR_MEANINGS[word] })),
    'x-values': kind,
  };
}

/** `eq` and `ne` take a list, the others one value (D13). */
function filterPattern(operators: readonly FilterOperator[], value: string): string {
  const forms = [true, false].flatMap((isList) => {
    const words = operators.filter((operator) => takesList(operator) === isList).join('|');
    return words === '' ? [] : [`(?:${words})\\{${isList ? `${value}(?:,${value})*` : value}\\}`];
  });
  return forms.length === 1 ? `^${forms.join('')}$` : `^(?:${forms.join('|')})$`;
}

function nameExamples(examples: readonly (readonly [summary: string, value: unknown])[]): Json {
  return Object.fromEntries(examples.map(([summary, value], at) => [`example-${at + 1}`, { summary, value }]));
}

function listWords(words: readonly ValueWord[]): string {
  return words.map(({ word, effect }) => `- \`${word}\`: ${effect}`).join('\n');
}
