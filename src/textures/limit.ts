// Runs a few asynchronous tasks at a time, in the order in which they are given, so that the decoded pixels of a whole scene
// are never in memory together.

/** `weight`: what the work holds in memory, in the unit of the limit's budget. */
export type Limit = <T>(work: () => Promise<T>, weight?: number) => Promise<T>;

interface Waiting {
  readonly weight: number;
  readonly begin: () => void;
}

/** At most `count` tasks at once, with a total weight of at most `budget`. A task heavier than the budget runs alone. */
export function createLimit(count: number, budget = Infinity): Limit {
  let running = 0;
  let held = 0;
  const waiting: Waiting[] = [];
  const beginNext = (): void => {
    for (let next = waiting[0]; next; next = waiting[0]) {
      if (running >= count || (running > 0 && held + next.weight > budget)) return;
      waiting.shift();
      running++;
      held += next.weight;
      next.begin();
    }
  };
  return async (work, weight = 0) => {
    await new Promise<void>((begin) => {
      waiting.push({ weight, begin });
      beginNext();
    });
    try {
      return await work();
    } finally {
      running--;
      held -= weight;
      beginNext();
    }
  };
}
