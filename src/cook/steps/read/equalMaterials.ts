// Materials that differ in nothing: which of them is the first, and the scene drawn with that one. Every material that is drawn is a
// draw call of its own, so that equal ones cost without showing.

import { sha256Hex } from '../../../bytes/sha256.ts';
import { SourceError } from '../../../diagnostics/diagnostic.ts';
import { layerImages } from '../../../scene/gltfMaterial.ts';
import { withImages } from '../../../scene/materialImages.ts';
import { FACTORS, TEXTURE_SLOTS } from '../../../scene/materialSlots.ts';
import type { Scene, SceneMaterial, ScenePrimitive } from '../../../scene/types.ts';
import { withMaterials } from '../../../scene/variants.ts';

/** Which materials are taken as one: those that share a name too, those that differ in name alone as well, or none. */
export type EqualMaterials = 'named' | 'all' | 'keep';

/** Equal text for equal values, whatever the order of their keys. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** The images of a material, in the order of its slots. */
function imagesOf({ textures, transmissionTexture, layers }: SceneMaterial): number[] {
  const uses = [...TEXTURE_SLOTS.map((slot) => textures[slot]), transmissionTexture];
  return [...uses.flatMap((use) => (use ? [use.image] : [])), ...layerImages(layers)];
}

/** By an image, what equals for equal bytes. An image that cannot be read equals itself alone. Each is read at most once. */
function imageKeys({ images }: Scene): (image: number) => Promise<string> {
  const known = new Map<number, Promise<string>>();
  const keyOf = async (image: number): Promise<string> => {
    try {
      return sha256Hex(await images[image].read());
    } catch (error) {
      // The cook reports it where the texture is made.
      if (error instanceof SourceError) return `image ${image}`;
      throw error;
    }
  };
  return (image) => {
    const key = known.get(image) ?? keyOf(image);
    known.set(image, key);
    return key;
  };
}

/** The lists that have at least two members, of those with equal keys, in order. */
async function alike<T>(members: readonly T[], keyOf: (member: T) => string | Promise<string>): Promise<T[][]> {
  const lists = new Map<string, T[]>();
  for (const member of members) {
    const key = await keyOf(member);
    const list = lists.get(key);
    if (list) list.push(member);
    else lists.set(key, [member]);
  }
  return [...lists.values()].filter((list) => list.length > 1);
}

/** For each material the first that it equals, itself where there is none. Images are read only where all else is equal. */
export async function firstEqualMaterials(scene: Scene, which: EqualMaterials): Promise<readonly number[]> {
  const first = scene.materials.map((_, i) => i);
  if (which === 'keep') return first;
  const nameOf = ({ name }: SceneMaterial) => (which === 'named' ? name : '');
  const textOfSurface = (i: number) => {
    const { path: _, name: __, ...surface } = withImages(scene.materials[i], () => 0);
    return textOf({ name: nameOf(scene.materials[i]), surface });
  };
  const imageKey = imageKeys(scene);
  // Most materials differ in a factor or in their names, which needs no text of the whole surface.
  const factorsText = (i: number) =>
    `${FACTORS.map((factor) => scene.materials[i][factor]).join()} ${nameOf(scene.materials[i])}`;
  const groups: number[][] = [];
  for (const members of await alike(first.slice(), factorsText)) groups.push(...(await alike(members, textOfSurface)));
  for (const group of groups) {
    const images = new Map(group.map((i) => [i, imagesOf(scene.materials[i])]));
    // Materials of a group have equally many images. Most that differ do so in the first one: the others are not read for them.
    let equal = [group];
    for (const slot of imagesOf(scene.materials[group[0]]).keys()) {
      const parts: number[][] = [];
      for (const members of equal) parts.push(...(await alike(members, (i) => imageKey(images.get(i)![slot]))));
      equal = parts;
    }
    for (const members of equal) for (const i of members) first[i] = members[0];
  }
  return first;
}

/** The scene whose primitives are drawn with the first of equal materials. The list of materials stays. */
export async function withEqualMaterials(scene: Scene, which: EqualMaterials): Promise<Scene> {
  const first = await firstEqualMaterials(scene, which);
  if (first.every((of, i) => of === i)) return scene;
  const drawn = (primitive: ScenePrimitive) => withMaterials(primitive, (material) => first[material]);
  return { ...scene, meshes: scene.meshes.map((mesh) => ({ ...mesh, primitives: mesh.primitives.map(drawn) })) };
}
