// Finds the known name that a mistyped one probably means, for hints about unknown options, keys and presets.

/** Edits (insert, delete, replace, swap of neighbours) between two words; optimal string alignment. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, last[j] + 1, row[j - 1] + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.length];
}

/** Longer names get no hint, so that the comparison is always cheap. */
const LONGEST = 64;

/** Up to `max` of the nearest names, the nearest first. */
export function nearestNames(name: string, names: readonly string[], max: number): string[] {
  const found: string[] = [];
  while (found.length < max) {
    const near = nearest(
      name,
      names.filter((known) => !found.includes(known)),
    );
    if (near === null) break;
    found.push(near);
  }
  return found;
}

/**
 * The nearest of `names`: at most a third of the letters differ, or one begins with the other. Without case; null when
 * none is near. The first of equally near names wins.
 */
export function nearest(name: string, names: readonly string[]): string | null {
  if (name.length === 0 || name.length > LONGEST) return null;
  const asked = name.toLowerCase();
  let best: string | null = null;
  let bestDistance = Infinity;
  for (const candidate of names) {
    const known = candidate.toLowerCase();
    const edits = distance(asked, known);
    const begins = asked.length >= 3 && (known.startsWith(asked) || asked.startsWith(known));
    const limit = Math.max(1, Math.floor(Math.max(asked.length, known.length) / 3));
    if ((edits <= limit || begins) && edits < bestDistance) {
      best = candidate;
      bestDistance = edits;
    }
  }
  return best;
}
