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
import { addCameras, addLights, MeshWriter } from './nodes.ts';
import { addClips, addRig } from './rig.ts';
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
  const { lights = [], cameras = [], skeletons = [], clips = [] } = authored;
  const { meshopt = false, file = '' } = options;
  for (const { bytes, fileName } of textures) {
    if (bytes && bytes.length > 0 && mimeTypeOf(bytes) === null) {
      throw new SourceError(diagnostic('UC3791', file, fileName, 'it is no image that glTF knows'));
    }
  }
  const builder = new GlbBuilder(authored.asset);
  const { skins, ofPath } = addRig(skeletons, builder);
  const writer = new MeshWriter(builder, new MaterialWriter(builder.document, textures), authored.materialVariants);
  let gpuBytes = 0;
  let drawn = 0;
  let vertices = 0;
  const named: NamedMesh[] = [];
  for (const mesh of meshes) {
    const { stored, rig } = mesh;
    named.push({ ...(await writer.add(mesh)), skin: rig && stored.attributes.joints ? skins[rig.skeleton] : null });
    const count = entityCount(mesh);
    drawn += count;
    vertices += count * stored.vertexCount;
    const arrays = [stored.positions, stored.indices, ...Object.values(stored.attributes)];
    gpuBytes += count * arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
  const nodes = fileNodes(meshes, tree);
  addNodes(nodes, named, builder);
  let bounds: Bounds | null = null;
  for (const { mesh, world } of nodes) {
    if (mesh < 0) continue;
    const { rig, stored } = meshes[mesh];
    const own = rig?.bounds ?? stored.bounds;
    bounds = unite(bounds, world ? placedBounds(own, world) : own);
  }
  addLights(lights, builder);
  addCameras(cameras, builder);
  const placeOf = new Map(nodes.flatMap(({ node }, place) => (node < 0 ? [] : [[node, place] as const])));
  addClips(clips, ofPath, placeOf, builder);
  return { file: await builder.end(file, meshopt), bounds: bounds ?? ORIGIN, gpuBytes, meshes: drawn, vertices };
}
