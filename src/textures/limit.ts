// Runs asynchronous work a few at a time, in the order it is given, so that decoded pixels of a whole scene are never in
// memory at once.

export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** At most `count` at once. */
export function createLimit(count: number): Limit {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= count) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The place goes to the next in line, or is given back.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
