/** The keys and values of a JSON object: a Map, since a key `__proto__` from outside is not to be looked up. */
export type JsonObject = ReadonlyMap<string, unknown>;

/** Reads a text that holds one JSON object; undefined when it is anything else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return new Map(Object.entries(value));
  } catch {
    return undefined;
  }
}
