/** Where two JSON values first differ, as `products[3].name: expected "a", got "b"`; undefined when they do not. */
export function firstDifference(expected: unknown, got: unknown, path = 'body'): string | undefined {
  if (isContainer(expected) && isContainer(got) && Array.isArray(expected) === Array.isArray(got)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      const inner = Array.isArray(expected) ? `${path}[${key}]` : `${path}.${key}`;
      const difference = firstDifference(valueAt(expected, key), valueAt(got, key), inner);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  return Object.is(expected, got) ? undefined : `${path}: expected ${show(expected)}, got ${show(got)}`;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The own value of a key, so that a text such as `__proto__` finds nothing inherited. */
function valueAt(container: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(container, key)?.value;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}
