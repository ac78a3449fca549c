// Tags with which an author steers the tiling of a node: keys `untold_*`, bare or with the prefix under which
// Blender exports custom properties to USD. Read from glTF extras and USD custom data alike.

const PREFIX = 'userProperties:';
const PRIORITY = 'untold_streaming_priority_hint';
const POLICY = 'untold_tile_policy';
const TIER = 'untold_semantic_override';
/** All keys that are known, for sources whose properties are asked for by name. */
export const TAG_KEYS: readonly string[] = [PRIORITY, POLICY, TIER];
const PRIORITIES = ['Low', 'Normal', 'High', 'Critical'] as const;
const POLICIES = ['force_local', 'always_loaded'] as const;
/** The kind of an object in its scene. In tree modes, tiles hold objects of one tier, which decides radii and priority. */
export const SEMANTIC_TIERS = ['ExteriorShell', 'StructuralInterior', 'RoomContents', 'FineProps'] as const;
export type SemanticTier = (typeof SEMANTIC_TIERS)[number];

export interface NodeTags {
  /** untold_streaming_priority_hint: how early the tile of this object is wanted. */
  readonly priority?: (typeof PRIORITIES)[number];
  /**
   * untold_tile_policy: force_local keeps an object that spans many tiles out of the shared bucket; always_loaded gives it a
   * tile that is loaded as far as the engine looks, and keeps it whole: never merged, cut, simplified or in an HLOD.
   */
  readonly policy?: (typeof POLICIES)[number];
  /** untold_semantic_override: what the object is; it counts before the object's names. */
  readonly semanticTier?: SemanticTier;
}

/** What this file needs of a node of the scene (types.ts: SceneNode). */
interface TaggedNode {
  readonly parent: number;
  readonly mesh: number;
  readonly tags?: NodeTags;
}

/** Tags among the properties of a node, null for none, and a message for each property with an unknown value. */
export function readTags(properties: Iterable<readonly [string, unknown]>): {
  readonly tags: NodeTags | null;
  readonly unknown: readonly string[];
} {
  const tags: { -readonly [K in keyof NodeTags]: NodeTags[K] } = {};
  const unknown: string[] = [];
  for (const [key, value] of properties) {
    const name = key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key;
    if (name === PRIORITY) {
      const priority = PRIORITIES.find((known) => known === value);
      if (priority) tags.priority = priority;
      else unknown.push(refused(key, value, PRIORITIES));
    } else if (name === POLICY) {
      const policy = POLICIES.find((known) => known === value);
      if (policy) tags.policy = policy;
      else unknown.push(refused(key, value, POLICIES));
    } else if (name === TIER) {
      const tier = SEMANTIC_TIERS.find((known) => known === value);
      if (tier) tags.semanticTier = tier;
      else unknown.push(refused(key, value, SEMANTIC_TIERS));
    }
  }
  return { tags: tags.priority || tags.policy || tags.semanticTier ? tags : null, unknown };
}

function refused(key: string, value: unknown, known: readonly string[]): string {
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : `a ${typeof value}`;
  return `${key} is ${shown}, not ${known.join(', ')}`;
}

/**
 * The tags that count for each node (parents first): its own, and for absent tags those of a parent
 * without a mesh: authors often tag a transform whose mesh, or whose instances, are its children.
 */
export function effectiveTags(nodes: readonly TaggedNode[]): readonly (NodeTags | null)[] {
  const tags: (NodeTags | null)[] = [];
  for (const node of nodes) {
    const above = node.parent >= 0 && nodes[node.parent].mesh < 0 ? tags[node.parent] : null;
    tags.push(node.tags && above ? { ...above, ...node.tags } : (node.tags ?? above));
  }
  return tags;
}

/** Whether an object is to be loaded wherever the camera is. */
export function isAlwaysLoaded(tags: NodeTags | null | undefined): boolean {
  return tags?.policy === 'always_loaded';
}
