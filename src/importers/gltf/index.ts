// glTF 2.0 and GLB to Scene. The JSON is ours from end to end: parsed and checked here, so that graph, transforms,
// bounds, counts, materials and images never depend on what a library makes of a broken file. Only Draco and meshopt
// data goes to the libraries that decode it. Vertex arrays are read when a primitive is asked for them.
//
// container, element       bytes -> JSON, every property with its place
// buffers, accessors       binary data and typed arrays; meshopt, draco, uri
// nodes, placements        hierarchy, scene, instances, poses
// meshes, geometry         primitives -> polygons; topology, skin, finite
// lights, cameras          KHR_lights_punctual and cameras, in the engine's units
// materials, textures      metallic-roughness with channels and UV transforms; variants, layers (other models)

import type { SceneMaterial, SceneMesh } from '../../scene/types.ts';
import type { Importer } from '../importer.ts';
import { Accessors } from './accessors.ts';
import { Buffers } from './buffers.ts';
import { placeCameras, readCameras } from './cameras.ts';
import { readContainer } from './container.ts';
import type { Element } from './element.ts';
import { checkExtensions } from './extensions.ts';
import { Geometry } from './geometry.ts';
import { placeLights, readLights } from './lights.ts';
import { defaultMaterial, readMaterials } from './materials.ts';
import { type MeshDef, MeshTable } from './meshes.ts';
import { chooseScene, readNodes } from './nodes.ts';
import { Notes } from './notes.ts';
import { Placer, type Variant } from './placements.ts';
import { Textures } from './textures.ts';
import { chooseVariant } from './variants.ts';

/**
 * Reads a .gltf or .glb, recognised by content. Every reference in the JSON is checked; positions are read for bounds,
 * other arrays by `ScenePrimitive.read()`. Throws SourceError with UC13xx, or UC12xx for files that it refers to.
 */
export const importGltf: Importer = async (path, bytes, { files, diagnostics, options }) => {
  const container = readContainer(path, bytes, diagnostics);
  const { root, kind } = container;
  const notes = new Notes(path, diagnostics);
  checkExtensions(root, notes);
  const buffers = new Buffers(container, files, diagnostics);
  await buffers.prepare();
  const accessors = new Accessors(root, buffers);
  const textures = new Textures(container, buffers, files, notes);
  const variant = chooseVariant(root, options.materialVariant, notes);
  const { list: meshes } = new MeshTable(root, accessors, buffers, variant, notes);
  const { roots, graph } = chooseScene(root, readNodes(root, notes), options.scene, notes);
  const { nodes, attached, variants } = new Placer(root, graph, meshes, accessors, notes).place(roots);
  const { materials, materialOf } = assignMaterials(root, textures, meshes, variants, notes);
  const lights = placeLights(readLights(root, notes), attached, notes);
  const cameras = placeCameras(readCameras(root, notes), attached, notes);
  noteLeftOut(root, notes);
  notes.flush();

  const geometry = new Geometry(path, accessors, buffers, diagnostics);
  for (const mesh of meshes) for (const primitive of mesh.primitives) geometry.announce(primitive);
  const sceneMeshes: SceneMesh[] = [];
  for (const { mesh, pose } of variants) {
    const { name, path: meshPath, primitives } = meshes[mesh];
    const drawn = [];
    for (const def of primitives) drawn.push(await geometry.primitive(def, pose, materialOf(def)));
    sceneMeshes.push({ name, path: meshPath, primitives: drawn });
  }
  return {
    source: path,
    kind,
    upAxis: 'Y',
    metersPerUnit: 1,
    nodes,
    meshes: sceneMeshes,
    materials,
    images: textures.images,
    lights,
    cameras,
  };
};

/** The file's materials, and the default one after them if a primitive that is drawn names none. */
function assignMaterials(
  root: Element,
  textures: Textures,
  meshes: readonly MeshDef[],
  variants: readonly Variant[],
  notes: Notes,
): { materials: SceneMaterial[]; materialOf: (def: MeshDef['primitives'][number]) => number } {
  const colored = new Set<number>();
  let anyWithout = false;
  for (const { mesh } of variants) {
    for (const { attributes, material } of meshes[mesh].primitives) {
      if (attributes.has('COLOR_0')) colored.add(material);
      if (material < 0) anyWithout = true;
    }
  }
  const materials = readMaterials(root, textures, colored, notes);
  const fallback = materials.length;
  if (anyWithout) materials.push(defaultMaterial(colored.has(-1)));
  return { materials, materialOf: ({ material }) => (material < 0 ? fallback : material) };
}

/** Says what of the file has no place in the Scene. */
function noteLeftOut(root: Element, notes: Notes): void {
  const name = (element: Element) => [element.path, element.name] as const;
  for (const animation of root.elements('animations')) {
    notes.add('UC1340', '', ...name(animation), (names) => `cooked at rest, without ${names}`);
  }
}
