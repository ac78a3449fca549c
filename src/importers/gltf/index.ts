// glTF 2.0 and GLB to Scene. Every part of the JSON is parsed and checked here, so that the graph, transforms, bounds,
// counts, materials and images never depend on how a library repairs a broken file. Libraries decode Draco and meshopt
// data, and nothing else. Vertex arrays are read when a primitive is asked for them.
//
// document/    bytes -> JSON; elements that know their path in the file, URIs, gathered warnings
// data/        buffers, accessors, the decoders of compressed data
// nodes/       hierarchy, scene, instances, lights and cameras where the scene has them
// meshes/      primitives -> polygons; morph targets, skins
// animation/   skeletons and clips, where they are asked for
// materials/   metallic-roughness with channels and UV transforms
// extensions/  one file for each extension, and the list of them

import { texCoordOf } from '../../scene/gltfMaterial.ts';
import type { Scene, SceneClip, SceneMaterial, SceneMesh, UndrawnSets, VariantMaterial } from '../../scene/types.ts';
import type { Importer } from '../importer.ts';
import { morphNames } from '../morphNames.ts';
import { readClips } from './animation/clips.ts';
import { readSkeletons, type Skeletons } from './animation/skeletons.ts';
import { Accessors } from './data/accessors.ts';
import { Buffers } from './data/buffers.ts';
import { readAsset } from './document/asset.ts';
import { readContainer } from './document/container.ts';
import type { Element } from './document/element.ts';
import { Notes } from './document/notes.ts';
import { chooseVariant, soundMappings, variantNames } from './extensions/materials/khrMaterialsVariants.ts';
import { checkExtensions } from './extensions/registry.ts';
import { readLights } from './extensions/scene/khrLightsPunctual.ts';
import { noteMaterialLevels } from './extensions/scene/msftLod.ts';
import { defaultMaterial, readMaterials } from './materials/materials.ts';
import { withPlacedSets } from './materials/placedSets.ts';
import { Textures } from './materials/textures.ts';
import { Geometry, setsOf } from './meshes/geometry.ts';
import { type MeshDef, MeshTable, noteTargets, type PrimitiveDef } from './meshes/meshes.ts';
import { placeCameras, readCameras } from './nodes/cameras.ts';
import { placeLights } from './nodes/lights.ts';
import { chooseScene, type NodeGraph, readNodes } from './nodes/nodes.ts';
import { type Placements, Placer, type Variant } from './nodes/placements.ts';
import { selectedNodes } from './nodes/selection.ts';

/**
 * Reads a .gltf or .glb, recognised by content. Every reference in the JSON is checked. Positions are read for bounds; all
 * other arrays are read by `ScenePrimitive.read()`. Throws SourceError with UC13xx, or UC12xx for files that it refers to.
 */
export const importGltf: Importer = async (path, content, { files, diagnostics, options }) => {
  const container = readContainer(path, content, diagnostics);
  const { root, kind } = container;
  const { keepsRigs = false, keepsLenses = false, keepsMaterials = false } = options;
  const notes = new Notes(path, diagnostics);
  checkExtensions(root, notes);
  const buffers = new Buffers(container, files, diagnostics);
  await buffers.prepare();
  const accessors = new Accessors(root, buffers);
  const textures = new Textures(container, buffers, files, notes, keepsMaterials);
  const keepsVariants = keepsMaterials && options.materialVariant === undefined;
  const variant = chooseVariant(root, options.materialVariant, keepsVariants, notes);
  const { limits } = files;
  const { list: meshes } = new MeshTable(root, accessors, buffers, variant, notes, limits, keepsLenses);
  const { roots, graph } = chooseScene(
    root,
    selectedNodes(root, readNodes(root, notes, limits), options),
    options.scene,
    notes,
  );
  const placer = new Placer(root, graph, meshes, accessors, notes, limits, options);
  const { nodes, attached, variants, lodGroups, nodeOf, drawnBy, world } = placer.place(roots);
  const rigs = keepsRigs ? readRigs(root, graph, variants, { nodeOf, drawnBy, world }, meshes, accessors, notes) : null;
  const { materials, materialOf } = assignMaterials(root, textures, meshes, variants, notes, keepsMaterials);
  const drawnMeshes = [...new Set(variants.map(({ mesh }) => mesh))];
  const defs = keepsVariants ? drawnMeshes.flatMap((mesh) => meshes[mesh].primitives) : [];
  const variantsOf = keptVariants(defs, materials, materialOf, notes);
  const lights = placeLights(readLights(root, notes), attached, notes);
  const { cameras, parallelCameras } = placeCameras(readCameras(root, keepsLenses, notes), attached, notes);
  if (!keepsRigs) noteLeftOut(root, notes);
  const scenes = root.count('scenes');
  if (keepsLenses && scenes > 1) notes.add('UC2480', 'scenes', 'scenes', '', () => `one of ${scenes} scenes is kept`);
  if (options.lodGroups) noteMaterialLevels(root, notes);
  for (const mesh of new Set(variants.map((variant) => variant.mesh))) noteTargets(meshes[mesh], keepsRigs, notes);
  notes.flush();

  const geometry = new Geometry(path, accessors, buffers, diagnostics, options.keepsSets ?? false);
  for (const mesh of meshes) for (const primitive of mesh.primitives) geometry.announce(primitive);
  const sceneMeshes: SceneMesh[] = [];
  for (const { mesh, pose, skin } of variants) {
    const { name, path: meshPath, primitives, targetNames, targetCount } = meshes[mesh];
    const names = morphNames(targetNames ?? [], targetCount);
    const drawn = [];
    const bound = rigs && skin >= 0 ? rigs.skinOf[skin] : -1;
    for (const def of primitives) {
      const primitive = await geometry.primitive(def, pose, materialOf(def), bound, names);
      const others = variantsOf.get(def) ?? [];
      const undrawnSets = () => undrawnOf(def, materials[materialOf(def)]);
      drawn.push({ ...primitive, undrawnSets, ...(others.length > 0 ? { variants: others } : {}) });
    }
    sceneMeshes.push({ name, path: meshPath, primitives: drawn });
  }
  const scene: Scene = {
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
    ...(parallelCameras.length > 0 ? { parallelCameras } : {}),
    ...(lodGroups.length > 0 ? { lodGroups } : {}),
    ...(keepsVariants && variantNames(root).length > 0 ? { materialVariants: variantNames(root) } : {}),
    ...readAsset(root),
    ...(rigs ? { skeletons: rigs.skeletons, skins: rigs.skins, clips: rigs.clips } : {}),
  };
  if (!keepsMaterials) return scene;
  const drawnDefs = drawnMeshes.flatMap((mesh) => meshes[mesh].primitives);
  const held = new Set(drawnDefs.flatMap((def) => setsOf(def, 'TEXCOORD_').map(texCoordOf)));
  return withPlacedSets(scene, held, (message) => diagnostics.report('UC2491', path, '', message));
};

/** The file's materials, followed by the default one if a primitive that is drawn names none. */
function assignMaterials(
  root: Element,
  textures: Textures,
  meshes: readonly MeshDef[],
  variants: readonly Variant[],
  notes: Notes,
  keeps: boolean,
): { materials: SceneMaterial[]; materialOf: (def: MeshDef['primitives'][number]) => number } {
  const colored = new Set<number>();
  let anyWithout = false;
  for (const { mesh } of variants) {
    for (const { attributes, material, variants: others } of meshes[mesh].primitives) {
      const drawn = [material, ...(keeps ? others.map((other) => other.material) : [])];
      if (attributes.has('COLOR_0')) for (const one of drawn) colored.add(one);
      if (material < 0) anyWithout = true;
    }
  }
  const materials = readMaterials(root, textures, colored, notes, keeps);
  const fallback = materials.length;
  if (anyWithout) materials.push(defaultMaterial(colored.has(-1), keeps));
  return { materials, materialOf: ({ material }) => (material < 0 ? fallback : material) };
}

/**
 * The variants of primitives whose materials are written as they are, as the primitive's own is: others are made for texture
 * coordinates that differ. Notes UC2476 for those.
 */
function keptVariants(
  defs: readonly PrimitiveDef[],
  materials: readonly SceneMaterial[],
  materialOf: (def: PrimitiveDef) => number,
  notes: Notes,
): ReadonlyMap<PrimitiveDef, readonly VariantMaterial[]> {
  const isKept = (index: number) => materials[index].places !== undefined;
  return new Map(
    defs.map((def) => {
      const own = soundMappings(def.variants, def.path, notes);
      const whole = isKept(materialOf(def)) ? own.filter(({ material }) => isKept(material)) : [];
      if (whole.length < own.length) notes.add('UC2476', '', def.path, '', (paths) => `variants of ${paths}`);
      return [def, whole];
    }),
  );
}

/** Without a texture the first set is kept for those that come later. */
function undrawnOf(def: PrimitiveDef, { textures }: SceneMaterial): UndrawnSets {
  const sets = setsOf(def, 'TEXCOORD_');
  const used = new Set(Object.values(textures).map(({ uvSet }) => uvSet));
  const drawn = used.size === 0 ? sets.slice(0, 1) : sets.filter((set) => used.has(set));
  const colors = setsOf(def, 'COLOR_').filter((set) => set !== 'COLOR_0');
  return { uvs: sets.length - drawn.length, colors: colors.length };
}

/** Skeletons, skins and clips of what is drawn. */
function readRigs(
  root: Element,
  graph: NodeGraph,
  variants: readonly Variant[],
  { nodeOf, drawnBy, world }: Pick<Placements, 'nodeOf' | 'drawnBy' | 'world'>,
  meshes: readonly MeshDef[],
  accessors: Accessors,
  notes: Notes,
): Skeletons & { readonly clips: readonly SceneClip[] } {
  const used = new Set(variants.flatMap(({ skin }) => (skin >= 0 ? [skin] : [])));
  const skeletons = readSkeletons(root, used, graph, used.size > 0 ? world() : [], nodeOf, accessors, notes);
  const targets = (node: number): readonly string[] => {
    const mesh = meshes[graph.nodes[node].mesh];
    return mesh ? morphNames(mesh.targetNames ?? [], mesh.targetCount) : [];
  };
  const places = { nodeOf, drawnBy, targets };
  return { ...skeletons, clips: readClips(root, places, skeletons, accessors, notes) };
}

/** Warns of what is drawn at rest. */
function noteLeftOut(root: Element, notes: Notes): void {
  const name = (element: Element) => [element.path, element.name] as const;
  for (const animation of root.elements('animations')) {
    notes.add('UC1340', '', ...name(animation), (names) => `cooked at rest, without ${names}`);
  }
}
