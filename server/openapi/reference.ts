type Components = 'schemas' | 'parameters' | 'headers' | 'examples';

/** A part of the document, as JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Where a component of the document stands. */
export function pointTo(components: Components, name: string): string {
  return `#/components/${components}/${name}`;
}

export function refer(components: Components, name: string): Json {
  return { $ref: pointTo(components, name) };
}
