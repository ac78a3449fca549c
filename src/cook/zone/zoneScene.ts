// The scene that is left of another for the eyes of a zone: what they see, no finer than they can tell, with few draws. Whatever
// moves, is tagged or is no part of this stays as it is.

import type { ZoneSettings } from '../../config/zoneSettings.ts';
import { fail } from '../../diagnostics/diagnostic.ts';
import { pickPolygons as pickOf } from '../../geometry/polygons/pickPolygons.ts';
import { boundsOfPoints } from '../../scene/bounds.ts';
import { identity } from '../../scene/matrix.ts';
import { effectiveTags } from '../../scene/tags.ts';
import type { PolygonMesh, Scene, SceneMesh, SceneNode, ScenePrimitive } from '../../scene/types.ts';
import { mergedInSectors, type SectorMesh, sectorCount, trianglesInView } from '../../zone/sectors.ts';
import { type Rings, ringsOf, type ZoneMesh } from '../../zone/thin.ts';
import { middleOf, type Zone } from '../../zone/zone.ts';
import { materialOf } from '../steps/textures/vertexColors.ts';
import type { Pictured, ZoneFigures, ZoneObject } from './figures.ts';
import { keptFlags, keptMesh, uvSetsOf, type ZoneView } from './keptMeshes.ts';
import { picturedScene } from './pictured.ts';
import { holeFigures, holesOfObjects, type ObjectHoles, proveHoles, sendBack } from './proveHoles.ts';
import { seenTriangles } from './seenTriangles.ts';
import { addShadowCasters } from './shadowCasters.ts';
import { type PartSource, triangleCountOf, ZoneParts } from './zoneParts.ts';
import { texelsOf } from './zoneTexels.ts';
import type { ZoneThreads } from './zoneThreads.ts';

/** What the result may have. */
type Budget = Pick<ZoneSettings, 'triangles' | 'visibleTriangles' | 'draws'>;

export interface ZoneScene {
  readonly scene: Scene;
  readonly figures: ZoneFigures;
  /** Parts that could not be simplified. */
  readonly loose: readonly PartSource[];
  /** What pictures of source and result are made of. */
  readonly pictured: Pictured;
  /** Objects with holes that could not be closed. */
  readonly holes: readonly ObjectHoles[];
  /** By material, the texels along a side of its images that eyes can tell; absent: all of them. */
  readonly texels: ReadonlyMap<number, number>;
}

/** Half a pixel off is not seen. */
export const USUAL_ERROR = 0.5;
/** By how much the error grows until the budget holds. */
const GROWTH = 1.25;
/** More than this many pixels off is no picture of the scene any more. */
const MAX_ERROR = 8;
/** How often a result with holes is made again. */
const MAX_AGAIN = 3;

/** Nodes that stay as they are: what moves or deforms, and what its author has tagged. */
function protectedNodes({ nodes, meshes, clips = [] }: Scene, moved: ReadonlySet<number>): Set<number> {
  const tags = effectiveTags(nodes);
  const driven = new Set<number>();
  for (const { channels } of clips) {
    for (const { target } of channels) if (target.kind === 'node') driven.add(target.node);
  }
  const found = new Set<number>();
  for (const [index, { parent, mesh, below }] of nodes.entries()) {
    if (driven.has(parent) || (below !== undefined && driven.has(below))) driven.add(index);
    if (mesh < 0) continue;
    const deforms = meshes[mesh].primitives.some((one) => one.bound !== undefined || one.morphs !== undefined);
    if (deforms || moved.has(index) || driven.has(index) || tags[index] !== null) found.add(index);
  }
  return found;
}

/** The scene for the eyes of a zone. `moved`: nodes that a skeleton moves. Throws UC2289 where they see nothing. */
export async function zoneScene(
  scene: Scene,
  zone: Zone,
  request: Budget & Pick<ZoneSettings, 'pixelsPerDegree' | 'keepShadows'>,
  moved: ReadonlySet<number>,
  hidden: ReadonlySet<number>,
  threads: ZoneThreads,
): Promise<ZoneScene> {
  const scale = (request.pixelsPerDegree * 180) / Math.PI;
  const view: ZoneView = { zone, middle: middleOf(zone), pixel: 1 / scale };
  const whole = protectedNodes(scene, moved);
  const nodes = scene.nodes.flatMap(({ mesh }, i) => (mesh >= 0 && !whole.has(i) && !hidden.has(i) ? [i] : []));
  const parts = new ZoneParts(scene, nodes, view.middle);
  const seen = await seenTriangles(zone, parts, scale, threads);
  const { lights = [] } = scene;
  const casters = request.keepShadows ? await addShadowCasters(lights, parts, view.middle, seen.pixels, threads) : 0;
  const wanted = { pixels: seen.pixels, finer: new Map<number, number>() };
  let made = await madeScene(scene, parts, wanted, view, request, whole.size, threads);
  let proof = await proveHoles(scene, zone, parts, made, scale, threads, null);
  for (let again = 0; proof.holes.length > 0 && again < MAX_AGAIN; again++) {
    sendBack(proof, made.flags, parts, wanted);
    made = await madeScene(scene, parts, wanted, view, request, whole.size, threads);
    proof = await proveHoles(scene, zone, parts, made, scale, threads, proof);
  }
  const { objects, loose, thin, merged, sectors, error } = made;
  const apart = [...materialsOf(scene, whole), ...loose.map(({ source }) => source.material)];
  const after = countOf(thin) + loose.reduce((sum, { kept }) => sum + kept, 0);
  const figures = {
    eyes: seen.eyes,
    rounds: seen.rounds,
    newShare: seen.newShare,
    trianglesBefore: parts.triangles,
    trianglesSeen: objects.reduce((sum, one) => sum + one.seen, 0) - casters,
    trianglesKept: objects.reduce((sum, one) => sum + one.kept, 0),
    trianglesAfter: after,
    casters,
    whole: whole.size,
    sectors,
    error,
    proof: holeFigures(proof),
  };
  const result = sceneOf(scene, whole, loose, merged);
  return {
    scene: result,
    figures: { ...figures, objects },
    loose: loose.map(({ source }) => source),
    texels: texelsOf(scene, thin, apart, view),
    holes: holesOfObjects(scene, parts, proof),
    pictured: { ...(await picturedScene(scene, whole, parts, view, proof.eyes, threads)), result },
  };
}

/** What was made of what is wanted. */
interface MadeScene extends KeptParts, ThinScene {
  readonly merged: readonly SectorMesh[];
}

/** Which triangles are seen, and which parts must be finer than others. */
interface Wanted {
  readonly pixels: readonly (Uint32Array | null)[];
  readonly finer: ReadonlyMap<number, number>;
}

/** `whole`: how many nodes stay as they are. */
async function madeScene(
  scene: Scene,
  parts: ZoneParts,
  wanted: Wanted,
  view: ZoneView,
  budget: Budget,
  whole: number,
  threads: ZoneThreads,
): Promise<MadeScene> {
  const kept = await keptParts(scene, parts, wanted, view);
  const { meshes, loose } = kept;
  if (meshes.length === 0 && loose.length === 0 && whole === 0) {
    fail('UC2289', scene.source, '--viewer-zone', 'nothing can be seen from it');
  }
  const draws = budget.draws === null ? null : Math.max(1, budget.draws - whole - loose.length);
  const made = await withinBudget(await ringsOf(meshes, view.zone), view, { ...budget, draws }, threads);
  return { ...kept, ...made, merged: await mergedInSectors(made.thin, view.middle, made.sectors) };
}

/** The materials of nodes. */
function materialsOf({ nodes, meshes }: Scene, list: Iterable<number>): number[] {
  return [...list].flatMap((node) =>
    meshes[nodes[node].mesh].primitives.flatMap((primitive) =>
      [-1, ...primitive.subsets.keys()].map((subset) => materialOf(primitive, subset)),
    ),
  );
}

/** A part whose triangles stay as they are, because its textures use several sets of UVs. */
interface LoosePart {
  readonly source: PartSource;
  readonly kept: number;
  readonly flags: Uint8Array;
}

interface KeptParts {
  readonly objects: readonly ZoneObject[];
  readonly meshes: readonly ZoneMesh[];
  readonly loose: readonly LoosePart[];
  /** By part, 1 for each triangle that stays. */
  readonly flags: ReadonlyMap<number, Uint8Array>;
}

async function keptParts(
  scene: Scene,
  parts: ZoneParts,
  { pixels, finer }: Wanted,
  view: ZoneView,
): Promise<KeptParts> {
  const ofNodes = new Map<number, { triangles: number; seen: number; kept: number }>();
  const meshes: ZoneMesh[] = [];
  const loose: LoosePart[] = [];
  const flagsOf = new Map<number, Uint8Array>();
  let primitive: ScenePrimitive | null = null;
  let polygons: PolygonMesh | null = null;
  for (const [i, source] of parts.sources.entries()) {
    const object = ofNodes.get(source.node) ?? { triangles: 0, seen: 0, kept: 0 };
    ofNodes.set(source.node, object);
    object.triangles += triangleCountOf(source);
    const shown = pixels[i];
    if (shown === null) continue;
    if (polygons === null || primitive !== source.primitive) {
      primitive = source.primitive;
      polygons = await primitive.read();
    }
    const flags = keptFlags(polygons, source, shown, scene, view);
    const kept = flags.reduce((sum, flag) => sum + flag, 0);
    flagsOf.set(i, flags);
    object.kept += kept;
    for (const count of shown) if (count > 0) object.seen++;
    const material = scene.materials[source.material];
    const sets = uvSetsOf(material);
    if (sets.length > 1) {
      loose.push({ source, kept, flags });
      continue;
    }
    const mesh = keptMesh(polygons, flags, source, scene);
    const own = { key: String(source.material), isTextured: sets.length > 0, finer: finer.get(i) ?? 0 };
    if (mesh) meshes.push({ ...own, mesh });
  }
  return {
    objects: [...ofNodes].map(([node, counts]) => ({ path: scene.nodes[node].path, ...counts })),
    meshes,
    loose,
    flags: flagsOf,
  };
}

const countOf = (meshes: readonly ZoneMesh[]): number =>
  meshes.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);

interface ThinScene {
  readonly thin: readonly ZoneMesh[];
  readonly sectors: number;
  /** Pixels. */
  readonly error: number;
}

/** The rings simplified, with an error that grows evenly until they are within the budgets of triangles. */
async function withinBudget(
  rings: Rings,
  { middle, pixel }: ZoneView,
  budget: Budget,
  threads: ZoneThreads,
): Promise<ThinScene> {
  const { triangles, visibleTriangles, draws } = budget;
  for (let error = USUAL_ERROR; ; error *= GROWTH) {
    const thin = await threads.thin(rings, error * pixel);
    const sectors = sectorCount(thin, middle, draws);
    const fits =
      (triangles === null || countOf(thin) <= triangles) &&
      (visibleTriangles === null || trianglesInView(thin, middle, sectors) <= visibleTriangles);
    if (fits || error * GROWTH > MAX_ERROR) return { thin, sectors, error };
  }
}

/** The nodes that stay, those of loose parts, and one node for each merged mesh. */
function sceneOf(
  scene: Scene,
  whole: ReadonlySet<number>,
  loose: readonly LoosePart[],
  merged: readonly SectorMesh[],
): Scene {
  const nodes: SceneNode[] = scene.nodes.map((node, i) => (whole.has(i) ? node : { ...node, mesh: -1 }));
  const meshes: SceneMesh[] = [...scene.meshes];
  const add = (name: string, node: Omit<SceneNode, 'name' | 'path' | 'parent' | 'mesh'>, primitive: ScenePrimitive) => {
    const path = `${ZONE_PATH}/${name}`;
    nodes.push({ ...node, name, path, parent: -1, mesh: meshes.length });
    meshes.push({ name, path, primitives: [{ ...primitive, path }] });
  };
  for (const { key, sector, mesh } of merged) {
    const material = Number(key);
    const of = scene.materials[material];
    const name = `${of?.name || 'default'}_${sector}`;
    const space = identity();
    add(name, { local: space, world: space, tags: LOADED }, mergedPrimitive(mesh, material, uvSetsOf(of)[0] ?? null));
  }
  for (const { source, kept, flags } of loose) {
    const { world, name } = scene.nodes[source.node];
    add(name || 'part', { local: world, world, tags: LOADED }, loosePrimitive(source, kept, flags));
  }
  return { ...scene, nodes, meshes };
}

/** What is left is one picture: all of it is loaded wherever an eye of the zone is. */
const LOADED = { policy: 'always_loaded' } as const;
/** Where messages find what is left. */
const ZONE_PATH = '/viewer_zone';

function mergedPrimitive(
  { positions, attributes, indices, vertexCount }: SectorMesh['mesh'],
  material: number,
  set: string | null,
): ScenePrimitive {
  const { normal, uv0, color0 } = attributes;
  const values = (data: Float32Array, size: number) =>
    ({ data, size, interpolation: 'vertex', indices: null }) as const;
  const polygons: PolygonMesh = {
    points: positions,
    faceCounts: null,
    corners: indices,
    holes: null,
    faceSubsets: null,
    leftHanded: false,
    normals: values(normal, 3),
    missingNormals: 'smooth',
    tangents: null,
    uvs: uv0 && set !== null ? new Map([[set, values(uv0, 2)]]) : new Map(),
    colors: color0
      ? values(
          Float32Array.from(color0, (byte) => byte / 255),
          4,
        )
      : null,
    opacities: null,
    creases: null,
  };
  return {
    path: '',
    type: 'Mesh',
    vertexCount,
    triangleCount: indices.length / 3,
    storedVertexCount: vertexCount,
    bounds: boundsOfPoints(positions),
    material,
    subsets: [],
    read: async () => polygons,
  };
}

function loosePrimitive({ primitive, subset, material }: PartSource, kept: number, flags: Uint8Array): ScenePrimitive {
  const { type, vertexCount, bounds } = primitive;
  return {
    path: '',
    type,
    vertexCount,
    triangleCount: kept,
    bounds,
    material,
    subsets: [],
    read: async () => pickOf(await primitive.read(), subset, flags),
  };
}
