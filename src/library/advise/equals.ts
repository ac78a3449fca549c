// What a source has more than once: meshes, materials, images.

import { sha256Hex } from '../../bytes/sha256.ts';
import { copiedNodes } from '../../cook/steps/copies/placeOriginals.ts';
import { firstEqualMaterials } from '../../cook/steps/read/equalMaterials.ts';
import { SourceError } from '../../diagnostics/diagnostic.ts';
import type { Scene } from '../../scene/types.ts';
import type { Advice } from './document.ts';
import { geometryBytes, type PlacedNode } from './placed.ts';

const SHOWN = 10;
const words = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Meshes that are others, turned, moved or scaled. */
export async function equalMeshes(scene: Scene, placed: readonly PlacedNode[]): Promise<Advice[]> {
  const copied = await copiedNodes(
    scene,
    placed.map(({ node }) => node),
  );
  if (copied.size === 0) return [];
  const originals = new Set(copied.values());
  // Each mesh once, whichever of its nodes place it.
  const own = [...new Map(placed.filter(({ node }) => copied.has(node)).map((node) => [node.mesh, node])).values()];
  const geometry = own.reduce((sum, node) => sum + geometryBytes(node), 0);
  const meshes = words(own.length, 'mesh is', 'meshes are');
  return [
    {
      kind: 'copies',
      what: `${meshes} a turned, moved or evenly scaled copy of ${words(originals.size, 'other', 'others')}: single files store the first once where that is smaller; always does so in tiles and packs, too`,
      count: own.length,
      where: own.slice(0, SHOWN).map(({ path }) => path),
      saves: { geometry },
      option: '--find-copies auto',
      isDefault: true,
    },
  ];
}

/** Materials that are equal to an earlier one that is drawn too. */
export async function equalMaterials(scene: Scene, placed: readonly PlacedNode[]): Promise<Advice[]> {
  const drawn = new Set(placed.flatMap(({ materials }) => materials));
  const repeats = async (which: 'named' | 'all'): Promise<number[]> => {
    const first = await firstEqualMaterials(scene, which);
    const known = new Set<number>();
    const repeated: number[] = [];
    for (const [i, of] of first.entries()) {
      if (!drawn.has(i)) continue;
      if (known.has(of)) repeated.push(i);
      known.add(of);
    }
    return repeated;
  };
  const named = await repeats('named');
  const all = await repeats('all');
  const inName = all.filter((material) => !named.includes(material));
  const advice = (found: readonly number[], what: string, which: 'named' | 'all'): Advice[] =>
    found.length === 0
      ? []
      : [
          {
            kind: 'materials',
            what,
            count: found.length,
            where: found.slice(0, SHOWN).map((material) => scene.materials[material].path),
            saves: { draws: found.length },
            option: `--equal-materials ${which}`,
            isDefault: which === 'named',
          },
        ];
  const sameWords = `${words(named.length, 'material differs', 'materials differ')} in nothing from an earlier one: a draw each in a tile that has both`;
  const nameWords = `${words(inName.length, 'material differs', 'materials differ')} in name alone from an earlier one: a draw each in a tile that has both`;
  return [...advice(named, sameWords, 'named'), ...advice(inName, nameWords, 'all')];
}

/** Images with the bytes of an earlier one. `used`: those that drawn materials read. */
export async function equalImages({ images }: Scene, used: readonly number[]): Promise<Advice[]> {
  const known = new Set<string>();
  const found: number[] = [];
  let bytes = 0;
  for (const image of used) {
    try {
      const content = await images[image].read();
      const hash = sha256Hex(content);
      if (known.has(hash)) {
        found.push(image);
        bytes += content.length;
      }
      known.add(hash);
    } catch (error) {
      // The cook reports it.
      if (!(error instanceof SourceError)) throw error;
    }
  }
  if (found.length === 0) return [];
  return [
    {
      kind: 'images',
      what: `${words(found.length, 'image has', 'images have')} the bytes of an earlier one: a cook makes one texture of them; the source holds them all`,
      count: found.length,
      where: found.slice(0, SHOWN).map((image) => images[image].path),
      saves: { bytes },
      option: null,
      isDefault: true,
    },
  ];
}
