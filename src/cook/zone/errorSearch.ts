// Looks for the least error with which a scene fits, with few tries: triangles grow fewer about as a power of the error.

/** What was made with an error, and how much of it there is for what may be: more than 1 is too much. */
export interface Tried {
  readonly error: number;
  readonly share: number;
}

/** The power that is guessed as long as one error was tried. */
const USUAL_POWER = 0.7;

/** Numbers from `first` on, each `growth` times the one before, and none but the first beyond `most`. */
export function growingErrors(first: number, growth: number, most: number): number[] {
  const errors = [first];
  for (let error = first * growth; error <= most; error *= growth) errors.push(error);
  return errors;
}

/** Of growing errors the first that fits, the last one if none does. What fits with one error must fit with all greater ones. */
export async function firstThatFits<T extends Tried>(
  errors: readonly number[],
  make: (error: number) => Promise<T>,
): Promise<T> {
  let over = await make(errors[0]);
  if (over.share <= 1) return over;
  let low = 0;
  let high = errors.length;
  let fits: T | null = null;
  let power = USUAL_POWER;
  while (high - low > 1) {
    // Where the share is 1, if the power holds; at least one step beyond what is too much, and before what fits.
    const wanted = over.error * over.share ** (1 / power);
    const guess = errors.findIndex((error) => error >= wanted);
    const next = Math.min(Math.max(guess < 0 ? high - 1 : guess, low + 1), high - 1);
    const tried = await make(errors[next]);
    const before = over;
    if (tried.share <= 1) [high, fits] = [next, tried];
    else [low, over] = [next, tried];
    const found = Math.log(before.share / tried.share) / Math.log(tried.error / before.error);
    // Shares that hardly change say nothing.
    power = Math.max(found, 0.05);
  }
  return fits ?? over;
}
