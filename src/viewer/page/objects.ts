// The entities of a payload as a tree, and which of them a search finds.

/** What a tree needs of a payload. */
export interface NamedEntities {
  readonly entities: readonly { readonly id: number; readonly parent: number; readonly name: string }[];
  readonly meshes: readonly { readonly name: string; readonly entity: number; readonly material: number }[];
  readonly materials: readonly { readonly name: string }[];
}

export interface ObjectRow {
  /** Index into entities. */
  readonly entity: number;
  readonly name: string;
  /** 0: a root. */
  readonly depth: number;
  /** How many meshes of it are drawn. */
  readonly meshes: number;
  /** Names of the materials of those. */
  readonly materials: readonly string[];
}

/** Depth first, in the order of the file. An entity whose parent is not there, or that is its own ancestor, is a root. */
export function objectRows({ entities, meshes, materials }: NamedEntities): ObjectRow[] {
  const indexOf = new Map(entities.map(({ id }, i) => [id, i]));
  const children = entities.map((): number[] => []);
  const roots: number[] = [];
  entities.forEach(({ parent }, i) => {
    const above = indexOf.get(parent);
    if (above === undefined || above === i) roots.push(i);
    else children[above].push(i);
  });
  const drawn = entities.map(() => ({ count: 0, materials: new Set<string>() }));
  for (const { entity, material } of meshes) {
    drawn[entity].count++;
    drawn[entity].materials.add(materials[material]?.name ?? '');
  }
  const rows: ObjectRow[] = [];
  const seen = new Set<number>();
  const walk = (start: number) => {
    const open: [index: number, depth: number][] = [[start, 0]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [i, depth] = next;
      if (seen.has(i)) continue;
      seen.add(i);
      const { count, materials: used } = drawn[i];
      rows.push({ entity: i, name: entities[i].name, depth, meshes: count, materials: [...used] });
      for (const child of children[i].slice().reverse()) open.push([child, depth + 1]);
    }
  };
  roots.forEach(walk);
  entities.forEach((_, i) => {
    if (!seen.has(i)) walk(i);
  });
  return rows;
}

/** Whether a row has all words of a search, in its name or those of its materials. */
export function isFound({ name, materials }: ObjectRow, search: string): boolean {
  const text = [name, ...materials].join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
