// Names of morph targets: apps set weights by name, so that each target of a mesh needs one of its own.

/** `count` names that differ: the given ones, `target_<index>` for those that are missing, and `_2`, `_3` behind equal ones. */
export function morphNames(given: readonly string[], count: number): string[] {
  const taken = new Set<string>();
  /** By name, the number that the next equal one tries first. */
  const next = new Map<string, number>();
  const wanted = Array.from({ length: count }, (_, i) => given[i] || `target_${i}`);
  const all = new Set(wanted);
  return wanted.map((name) => {
    let own = name;
    if (taken.has(own)) {
      let n = next.get(name) ?? 2;
      while (all.has(`${name}_${n}`) || taken.has(`${name}_${n}`)) n++;
      own = `${name}_${n}`;
      next.set(name, n + 1);
    }
    taken.add(own);
    return own;
  });
}
