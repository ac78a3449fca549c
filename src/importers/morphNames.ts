// Names of morph targets: apps set weights by name, so that each target of a mesh needs one of its own.

/** `count` names that differ: the given ones, `target_<index>` for those that are missing, and `_2`, `_3` behind equal ones. */
export function morphNames(given: readonly string[], count: number): string[] {
  const taken = new Set<string>();
  const wanted = Array.from({ length: count }, (_, i) => given[i] || `target_${i}`);
  const all = new Set(wanted);
  return wanted.map((name) => {
    let own = name;
    for (let n = 2; taken.has(own); n++) if (!all.has(`${name}_${n}`)) own = `${name}_${n}`;
    taken.add(own);
    return own;
  });
}
