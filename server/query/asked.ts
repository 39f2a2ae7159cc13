import type { EndpointName, ParameterName } from '../../data/query/endpoint.ts';
import type { FilterKind } from '../../data/query/filter.ts';
import type { ResourceWord } from '../../data/query/resource.ts';

/** The request that a fault is of. */
export interface Asked {
  readonly endpoint: EndpointName;
  readonly resource: ResourceWord;
  readonly parameters: readonly ParameterName[];
  /** What was sent, once for each time that a parameter was. */
  readonly valuesOf: (parameter: string) => readonly string[];
  /** Whether the endpoint takes a query. */
  readonly canAsk: (query: string) => boolean;
  /** The greatest limit of products. */
  readonly maxProducts: number;
  /** What the catalogue has under a name, as the filters of a kind take it. */
  readonly slugsOf: (kind: FilterKind, name: string) => readonly string[];
}

/** What was sent in place of a parameter: its name without what is put around it, and its value. */
export interface Sent {
  readonly word: string;
  readonly value: string;
}

/** `eq{a,b}`, `products(a,b)`: what stands before the values, and the values. */
export const LIST = /^([a-z]*)[({]([^(){}]*)[)}]$/i;

/** Longer texts are no slip of a person. */
export const MAX_ADVISED_LENGTH = 80;

/** What stands for itself in a query, so that advice can be pasted. */
const PLAIN_VALUE = /^[A-Za-z0-9._~,(){}-]+$/;
export const PLACEHOLDER = /<[^<>]*>/;

export function isPlain(value: string): boolean {
  return value.length <= MAX_ADVISED_LENGTH && PLAIN_VALUE.test(value);
}
