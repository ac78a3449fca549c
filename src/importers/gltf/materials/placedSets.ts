// Sets of texture coordinates that textures use and whose numbers are too high for the output: they change places with sets of the
// first eight that no texture uses. One change holds for all meshes and materials of a file, so that they fit each other.

import { texCoordOf } from '../../../scene/gltfMaterial.ts';
import type { TextureSlot } from '../../../scene/materialSlots.ts';
import {
  MAX_SETS,
  type PolygonMesh,
  type Scene,
  type SceneMaterial,
  type ScenePrimitive,
  type TextureUse,
} from '../../../scene/types.ts';

/** New numbers by the old ones, in both directions; those that are not in it stay. */
type Numbers = ReadonlyMap<number, number>;

const nameOf = (number: number): string => `TEXCOORD_${number}`;

function usedBy({ textures, transmissionTexture, layers = [] }: SceneMaterial): number[] {
  const uses = [...Object.values(textures), ...(transmissionTexture ? [transmissionTexture] : [])];
  const ofLayers = layers.flatMap((layer) => Object.values(layer.textures).map(({ place }) => place.texCoord));
  return [...uses.map(({ uvSet }) => texCoordOf(uvSet)), ...ofLayers];
}

/** Empty where all used sets have places, or there are more of them than places. */
function changesOf(used: ReadonlySet<number>, held: ReadonlySet<number>): Numbers {
  const changes = new Map<number, number>();
  const high = [...used].filter((number) => number >= MAX_SETS && held.has(number)).sort((a, b) => a - b);
  const low = Array.from({ length: MAX_SETS }, (_, number) => number).filter((number) => !used.has(number));
  // Numbers that no mesh has come first, then those whose sets are left out: the last of them.
  const free = [...low.filter((number) => !held.has(number)), ...low.filter((number) => held.has(number)).reverse()];
  if (high.length > free.length) return changes;
  for (const [i, number] of high.entries()) changes.set(number, free[i]).set(free[i], number);
  return changes;
}

function withNumbers(scene: Scene, changes: Numbers): Scene {
  const numberOf = (number: number) => changes.get(number) ?? number;
  const setOf = (set: string) => (texCoordOf(set) < 0 ? set : nameOf(numberOf(texCoordOf(set))));
  const placed = <T extends { readonly texCoord: number }>(place: T): T => ({
    ...place,
    texCoord: numberOf(place.texCoord),
  });
  const mapped = <T, U>(of: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> =>
    Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]));
  const moved = (use: TextureUse): TextureUse => ({ ...use, uvSet: setOf(use.uvSet) });
  const ofMaterial = ({
    textures,
    transmissionTexture,
    layers,
    places,
    ...material
  }: SceneMaterial): SceneMaterial => ({
    ...material,
    textures: mapped(textures, moved),
    ...(transmissionTexture ? { transmissionTexture: moved(transmissionTexture) } : {}),
    ...(places ? { places: mapped(places as Record<TextureSlot, NonNullable<typeof places.normal>>, placed) } : {}),
    ...(layers
      ? {
          layers: layers.map((layer) => ({
            ...layer,
            textures: mapped(layer.textures, (texture) => ({ ...texture, place: placed(texture.place) })),
          })),
        }
      : {}),
  });
  const ofMesh = (polygons: PolygonMesh): PolygonMesh => {
    const sets = [...polygons.uvs].map(([name, values]) => [setOf(name), values] as const);
    return { ...polygons, uvs: new Map(sets.sort(([a], [b]) => texCoordOf(a) - texCoordOf(b))) };
  };
  const ofPrimitive = (primitive: ScenePrimitive): ScenePrimitive => {
    const { bound } = primitive;
    return {
      ...primitive,
      read: async () => ofMesh(await primitive.read()),
      ...(bound ? { bound: { ...bound, read: async () => ofMesh(await bound.read()) } } : {}),
    };
  };
  return {
    ...scene,
    materials: scene.materials.map(ofMaterial),
    meshes: scene.meshes.map((mesh) => ({ ...mesh, primitives: mesh.primitives.map(ofPrimitive) })),
  };
}

/**
 * The scene with the sets that its textures use among the first eight, where they are eight at most. `held`: the numbers of the sets
 * that its meshes have. `tell` is given what has changed.
 */
export function withPlacedSets(scene: Scene, held: ReadonlySet<number>, tell: (message: string) => void): Scene {
  if (Math.max(-1, ...held) < MAX_SETS) return scene;
  const drawn = scene.meshes.flatMap(({ primitives }) =>
    primitives.flatMap(({ material, variants = [] }) => [material, ...variants.map((variant) => variant.material)]),
  );
  const used = new Set([...new Set(drawn)].flatMap((index) => usedBy(scene.materials[index])));
  const changes = changesOf(used, held);
  if (changes.size === 0) return scene;
  const pairs = [...changes].filter(([from, to]) => from > to);
  tell(pairs.map(([from, to]) => `${nameOf(from)} and ${nameOf(to)} change places`).join(', '));
  return withNumbers(scene, changes);
}
