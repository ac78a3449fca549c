// Names of joints for formats that let several of them have one, or none.

/**
 * Names with no "/" and not empty, none of which two joints with the same parent share: the second of a name gets `_2`. Parents come
 * before their children. `otherwise`: the name of a joint without one.
 */
export function jointNames(
  joints: readonly { readonly name: string; readonly parent: number }[],
  otherwise: (joint: number) => string,
): string[] {
  const taken = new Set<string>();
  /** By name below a parent, the number to try next: equal names are as many as a file likes. */
  const next = new Map<string, number>();
  return joints.map(({ name, parent }, joint) => {
    const below = parent < 0 ? '' : `${parent}/`;
    const wanted = name.replaceAll('/', '_') || otherwise(joint);
    let given = wanted;
    let number = next.get(below + wanted) ?? 2;
    for (; taken.has(below + given); number++) given = `${wanted}_${number}`;
    next.set(below + wanted, number);
    taken.add(below + given);
    return given;
  });
}
