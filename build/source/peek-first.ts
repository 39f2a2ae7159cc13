/** The first item of a sequence, and the whole sequence, the first included; it can still be iterated once. */
export async function peekFirst<Item>(
  items: AsyncIterable<Item>,
): Promise<{ readonly first: Item | undefined; readonly all: AsyncIterable<Item> }> {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return { first: undefined, all: (async function* () {})() };
  return { first: first.value, all: prepend(first.value, iterator) };
}

async function* prepend<Item>(first: Item, rest: AsyncIterator<Item>): AsyncGenerator<Item> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    // Closes the file when nobody reads it to its end.
    await rest.return?.();
  }
}
