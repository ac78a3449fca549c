// A payload as a GLB file, which holds geometry, images and clips.

import { diagnostic, SourceError } from '../../diagnostics/diagnostic.ts';
import { unite } from '../../scene/bounds.ts';
import { transformPoint } from '../../scene/matrix.ts';
import type { Bounds, Mat4, Vec3 } from '../../scene/types.ts';
import type { FloatMesh } from '../floatMesh.ts';
import { type EncodedPayload, entityCount, type PayloadInput } from '../format.ts';
import { fileNodes } from '../treeNodes.ts';
import { GlbBuilder } from './builder.ts';
import { mimeTypeOf } from './images.ts';
import { MaterialWriter } from './materials.ts';
import { addCameras, addLights, addParallelCameras, MeshWriter } from './nodes.ts';
import { addClips, addRig } from './rig.ts';
import { targetNamesOf } from './targets.ts';
import { addNodes, type NamedMesh } from './tree.ts';

function placedBounds({ min, max }: Bounds, placement: Mat4): Bounds {
  let bounds: Bounds | null = null;
  for (let c = 0; c < 8; c++) {
    const corner: Vec3 = [c & 1 ? max[0] : min[0], c & 2 ? max[1] : min[1], c & 4 ? max[2] : min[2]];
    const p = transformPoint(placement, corner);
    bounds = unite(bounds, { min: p, max: p });
  }
  return bounds as Bounds;
}

const ORIGIN: Bounds = { min: [0, 0, 0], max: [0, 0, 0] };

/** Throws UC3791 for a texture that a GLB does not hold, and UC3790. */
export async function encodePayload(input: PayloadInput<FloatMesh>): Promise<EncodedPayload> {
  const { meshes, textures, authored, options, tree = null } = input;
  const { lights = [], cameras = [], parallelCameras = [], skeletons = [], clips = [] } = authored;
  const { geometry, file = '' } = options;
  for (const { bytes, fileName } of textures) {
    if (bytes && bytes.length > 0 && mimeTypeOf(bytes) === null) {
      throw new SourceError(diagnostic('UC3791', file, fileName, 'it is no image that glTF knows'));
    }
  }
  const builder = new GlbBuilder(authored.asset);
  const nodes = fileNodes(meshes, tree);
  const placeOf = new Map(nodes.flatMap(({ node }, place) => (node < 0 ? [] : [[node, place] as const])));
  const { skins, ofPath } = addRig(skeletons, placeOf, builder);
  const materials = new MaterialWriter(builder.document, textures);
  const writer = new MeshWriter(builder, materials, geometry === 'quantize', authored.materialVariants);
  let gpuBytes = 0;
  let drawn = 0;
  let vertices = 0;
  const named: NamedMesh[] = [];
  for (const mesh of meshes) {
    const { stored, rig } = mesh;
    const skin = rig && rig.skeleton >= 0 && stored.attributes.joints ? skins[rig.skeleton] : null;
    named.push({ ...(await writer.add(mesh)), skin, extras: rig?.extras });
    const count = entityCount(mesh);
    drawn += count;
    vertices += count * stored.vertexCount;
    const arrays = [stored.positions, stored.indices, ...Object.values(stored.attributes)];
    gpuBytes += count * arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
  addNodes(nodes, named, builder);
  const morphing = new Map<number, { readonly place: number; readonly names: readonly string[] }[]>();
  let bounds: Bounds | null = null;
  for (const [place, { mesh, world }] of nodes.entries()) {
    if (mesh < 0) continue;
    const { rig, stored, node = -1 } = meshes[mesh];
    const own = rig?.bounds ?? stored.bounds;
    bounds = unite(bounds, world ? placedBounds(own, world) : own);
    const names = targetNamesOf(named[mesh].mesh);
    if (names.length > 0) morphing.set(node, [...(morphing.get(node) ?? []), { place, names }]);
  }
  const places = { placeOf, worlds: nodes.map(({ world }) => world) };
  addLights(lights, places, builder);
  addCameras(cameras, places, builder);
  addParallelCameras(parallelCameras, places, builder);
  addClips(clips, { ofPath, placeOf, morphing }, builder);
  return { file: await builder.end(file, geometry), bounds: bounds ?? ORIGIN, gpuBytes, meshes: drawn, vertices };
}
