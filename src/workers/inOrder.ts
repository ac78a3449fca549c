// Begins work ahead and takes its results in order, so that parallel work reports as if it ran one after the other.

/**
 * Begins work on the items in order and yields the results in the same order. At most `ahead` items are begun before their
 * results are taken. If an item fails, its error is thrown when its turn comes, and no further item begins.
 */
export async function* inOrder<T, R>(
  items: Iterable<T>,
  ahead: number,
  begin: (item: T) => Promise<R>,
): AsyncGenerator<readonly [T, R]> {
  const begun: { item: T; result: Promise<R> }[] = [];
  for (const item of items) {
    if (begun.length >= ahead) {
      const { item: first, result } = begun.shift() as (typeof begun)[number];
      yield [first, await result];
    }
    const result = begin(item);
    // The consumer awaits this promise later. Attach a handler now so that Node does not report an unhandled rejection.
    result.catch(() => {});
    begun.push({ item, result });
  }
  for (const { item, result } of begun) yield [item, await result];
}
