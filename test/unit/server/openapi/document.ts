import { createOpenApi } from '../../../../server/openapi/create-openapi.ts';
import { DEFAULT_SETTINGS } from '../../../../server/settings.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: { readonly type: string; readonly pattern?: string; readonly items?: { readonly pattern: string } };
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: Value | readonly Value[] }>>;
  readonly 'x-words'?: readonly { readonly word: string }[];
}

type Value = string | number;

interface Content {
  readonly schema?: object;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly responses: Readonly<Record<string, OperationAnswer>>;
  readonly 'x-examples'?: readonly { readonly target: string }[];
  readonly 'x-codeSamples'?: readonly { readonly source: string }[];
}

interface OperationAnswer {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Reference {
  readonly $ref: string;
}

/** What the tests read of the document. */
export interface Document {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, { readonly example: string }>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

export const DOCUMENT_TEXT = JSON.stringify(createOpenApi(DEFAULT_SETTINGS));

/** As a client reads it. */
export const DOCUMENT = JSON.parse(DOCUMENT_TEXT) as Document;

export const OPERATIONS: readonly (readonly [path: string, operation: Operation])[] = Object.entries(
  DOCUMENT.paths,
).map(([path, { get }]) => [path, get]);

/** The parameters of an operation, without references. */
export function parametersOf({ parameters = [] }: Operation): readonly Parameter[] {
  return parameters.map((parameter) => {
    if (!('$ref' in parameter)) return parameter;
    const found = DOCUMENT.components.parameters[nameOf(parameter)];
    if (found === undefined) throw new Error(`${parameter.$ref} leads nowhere`);
    return found;
  });
}

/** The name of a component that is referred to. */
export function nameOf({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** Every object within a value, itself included. */
export function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Readonly<Record<string, unknown>>, ...inner];
}
