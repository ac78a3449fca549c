// Cooks and writes the payloads of a plan. Runners cook them in any order; they are written in the order of the plan.

import { fail, type ReportedDiagnostic } from '../../diagnostics/diagnostic.ts';
import type { EmittedTile } from '../../formats/manifest/write.ts';
import { emitPayload } from '../../output/payloads.ts';
import { meshNameOf } from '../../scene/meshName.ts';
import { isAlwaysLoaded } from '../../scene/tags.ts';
import type { Scene } from '../../scene/types.ts';
import { type PreparedMaterial, type PreparedTexture, texturesOf } from '../../textures/types.ts';
import { DEFAULT_TILING } from '../../tiling/options.ts';
import type { PlannedObject, PlannedTile } from '../../tiling/types.ts';
import { inOrder } from '../../workers/inOrder.ts';
import {
  type DrawnIndex,
  type JobObject,
  MeshMaterials,
  type PayloadJob,
  type PayloadResult,
} from '../../workers/jobs.ts';
import type { KeptTiles, Workshop, WrittenPayloads } from '../made.ts';
import type { CookPlan, WantedPayload } from '../planned.ts';
import type { Session } from '../session.ts';
import { KeptPayloads, meshesOf, type ObjectSources } from '../units/keptPayloads.ts';
import type { KeyInputs, Unit, UnitStore } from '../units/unitStore.ts';
import { LevelSources } from './levels/levelSources.ts';
import { CutObjects } from './payloads/cutObjects.ts';
import { MeshSources } from './payloads/meshSources.ts';
import { reportBudget } from './plan/reportBudget.ts';
import { objectNames } from './read/objects.ts';
import { materialOf } from './textures/vertexColors.ts';
import { aheadOf } from './workshop.ts';

/** The result of a payload's job, or of an earlier cook's. */
interface CookedPayload {
  readonly result: PayloadResult;
  /** Where it is to be kept; null: nowhere, or it is there. */
  readonly unit: Unit | null;
}

/**
 * Cooks the wanted payloads and writes those that are selected. Throws JobFailure where the source is to blame, UC2200 where
 * nothing at all is drawn, and what the set throws.
 */
export async function writePayloads(
  plan: CookPlan,
  kept: KeptTiles,
  workshop: Workshop,
  session: Session,
): Promise<WrittenPayloads> {
  const { scene, rig, wanted, authored: authoredTiles } = plan;
  const { jobScene, colors, runners, authored, units, reports } = workshop;
  const { job, diagnostics, progress } = session;
  const { store = null, digests = null } = units ?? {};
  const { hlodLevels = 1, tiling = DEFAULT_TILING } = job.settings;
  const forLevels = plan.levels ? new LevelSources(hlodLevels > 1 || units !== null) : null;
  const sources = new MeshSources(scene, colors, jobsOf(wanted), runners, digests);
  // Diagnostics of a mesh are noted when it is prepared, and reported in the turn of the first payload that uses it. Which
  // job prepares a mesh is chance, and it may be the job of a silent payload.
  const reportedForMesh = new Map<number, readonly ReportedDiagnostic[]>();
  const notePrepared = ({ prepared }: Pick<PayloadResult, 'prepared'>) => {
    // Every thread that prepares a mesh reports the same.
    for (const { mesh, reported } of prepared) reportedForMesh.set(mesh, reported);
  };
  const cuts = new CutObjects(runners, sources, notePrepared);
  const nameOf = objectNames(scene);
  const always = new Set(plan.objects.filter(({ tags }) => isAlwaysLoaded(tags)).map(({ node }) => node));
  const whole = (node: number): JobObject => {
    const moved = rig?.ofNode.get(node);
    const coarser = authoredTiles.countOf.get(node);
    const byHand = coarser === undefined ? {} : { coarser };
    const apart = always.has(node) ? ({ own: true } as const) : {};
    return { ...jobObject(scene, node, nameOf), ...(moved ? { rig: moved } : {}), ...byHand, ...apart };
  };
  const keptPayloads = store && digests ? new KeptPayloads(store, digests) : null;
  const from: ObjectSources = {
    jobObject: whole,
    meshDigest: (mesh) => sources.digestOf(mesh),
    materialsOf: (mesh) => materialsOf(scene, mesh),
  };
  const keyInputsOf = ({ payload, neighbours, instances }: WantedPayload, kept: KeptPayloads): KeyInputs => {
    const { tile, fileType, objects } = payload;
    const boxes = neighbours.map(({ box }) => box);
    return kept.keyInputs({ name: tile?.id ?? '', fileType, authored, neighbours: boxes, instances, objects }, from);
  };
  const begin = async (one: WantedPayload): Promise<CookedPayload> => {
    if (keptPayloads === null) return { result: await make(one), unit: null };
    const { objects } = one.payload;
    const read = await sources.digest(objects);
    try {
      const keyInputs = keyInputsOf(one, keptPayloads);
      const unit = (store as UnitStore).unit('payload', keyInputs);
      const meshes = meshesOf(objects, whole);
      const cutObjects = objects.filter(isCut);
      const found = await keptPayloads.find(unit, meshes.length, cutObjects.length);
      (store as UnitStore).note('payload', one.payload.tile?.id ?? '', keyInputs, found === null);
      if (found === null) return { result: await make(one), unit };
      notePrepared({ prepared: meshes.map((mesh, i) => ({ mesh, reported: found.meshes[i] })) });
      for (const [i, object] of cutObjects.entries()) cuts.know(object, found.cuts[i]);
      sources.skip(objects.filter(isWhole));
      return { result: found.result, unit: null };
    } finally {
      sources.release(read);
    }
  };
  const keep = async ({ payload }: WantedPayload, { result, unit }: CookedPayload): Promise<void> => {
    if (keptPayloads === null || unit === null) return;
    const reported = await Promise.all(payload.objects.filter(isCut).map((object) => cuts.reportedFor(object)));
    const meshes = meshesOf(payload.objects, whole).map((mesh) => reportedForMesh.get(mesh) ?? []);
    keptPayloads.put(unit, result, { meshes, cuts: reported });
  };
  const make = async ({ payload, neighbours, instances }: WantedPayload): Promise<PayloadResult> => {
    const { tile, fileType, tree, joins } = payload;
    const objects: JobObject[] = [];
    for (const object of payload.objects) {
      const cut = object.piece ? await cuts.take(object, whole) : null;
      objects.push({ ...whole(object.node), cut });
    }
    const uncut = payload.objects.filter(isWhole);
    await sources.prepare(uncut);
    const result = await runners.run(
      (runner): PayloadJob => ({
        kind: 'payload',
        tileId: tile?.id ?? null,
        fileType,
        authored,
        ...(tree ? { tree } : {}),
        ...(joins ? { joins } : {}),
        objects,
        ...sources.give(runner, uncut),
        neighbours: neighbours.map(({ box }) => box),
        instances,
        keepsMeshes: forLevels?.keepsMeshesOf(payload) ?? false,
      }),
    );
    notePrepared(result);
    return result;
  };

  const surfaces = new MeshMaterials(jobScene);
  const repeat = async (objects: readonly PlannedObject[], reported: readonly ReportedDiagnostic[]) => {
    const repeatMesh = ({ node }: PlannedObject) =>
      diagnostics.repeat(reportedForMesh.get(scene.nodes[node].mesh) ?? []);
    for (const object of objects) {
      if (!object.piece) continue;
      repeatMesh(object);
      diagnostics.repeat(await cuts.reportedFor(object));
    }
    objects.filter(isWhole).forEach(repeatMesh);
    diagnostics.repeat(reported);
  };
  const tiles = new Map<PlannedTile, EmittedTile>();
  const models = new Map<string, readonly DrawnIndex[]>();
  const materials = new Set<PreparedMaterial>();
  const textures = new Set<PreparedTexture>();
  let payloads = 0;
  let triangles = 0;
  let vertices = 0;
  let done = 0;
  const onPayload = () => progress({ phase: 'cook', done, total: wanted.length });
  onPayload();
  for await (const [one, cooked] of inOrder(wanted, aheadOf(workshop), begin)) {
    const { payload, silent } = one;
    const { result } = cooked;
    done++;
    onPayload();
    await keep(one, cooked);
    forLevels?.meet(payload, result);
    if (silent) continue;
    reports.begin('payload', payload.tile?.id ?? '');
    await repeat(payload.objects, result.reported);
    if (result.payload === null) continue;
    for (const { surface } of result.drawn) {
      const { material, palette, emission } = surfaces.surface(surface);
      materials.add(material);
      for (const texture of texturesOf(material)) textures.add(jobScene.textures[texture]);
      if (palette) textures.add(palette);
      if (emission) textures.add(emission);
    }
    const { triangles: drawn, ...encoded } = result.payload;
    const emitted = await emitPayload(workshop, encoded, payload.path, payload.tile !== null);
    payloads++;
    triangles += drawn;
    vertices += emitted.vertices;
    if (plan.chains) models.set(payload.path, result.drawn);
    const { tile } = payload;
    if (tile === null) continue;
    reportBudget(tile, emitted, tiling.budgets, scene, diagnostics);
    const whole: EmittedTile = { ...emitted, planned: tile };
    tiles.set(tile, whole);
    forLevels?.add(payload, result, whole);
  }
  if (!plan.selection.isPart && payloads + kept.tiles.size === 0) {
    fail('UC2200', job.source, '', 'every triangle is degenerate');
  }
  return { tiles, materials, textures, payloads, triangles, vertices, forLevels, models };
}

export function jobObject(scene: Scene, node: number, nameOf: (node: number) => string): JobObject {
  const { path, mesh, world } = scene.nodes[node];
  const name = nameOf(node);
  return { node, path, name, mesh, meshName: meshNameOf(scene, node) || name, world, cut: null };
}

const isWhole = ({ piece }: PlannedObject): boolean => !piece;
const isCut = (object: PlannedObject): boolean => !isWhole(object);

/** The materials that a mesh is drawn with, each once; -1 for none. */
function materialsOf({ meshes }: Scene, mesh: number): readonly number[] {
  const drawn = meshes[mesh].primitives.filter(({ triangleCount }) => triangleCount > 0);
  const used = drawn.flatMap((primitive) =>
    [-1, ...primitive.subsets.keys()].map((subset) => materialOf(primitive, subset)),
  );
  return [...new Set(used)];
}

/** The objects whose meshes each job will need: one job for each object that is cut, one for the whole ones of a payload. */
function jobsOf(wanted: readonly WantedPayload[]): (readonly PlannedObject[])[] {
  const cut = new Map<number, PlannedObject>();
  for (const { payload } of wanted) {
    for (const object of payload.objects) if (object.piece) cut.set(object.node, object);
  }
  return [
    ...[...cut.values()].map((object) => [object]),
    ...wanted.map(({ payload }) => payload.objects.filter(isWhole)),
  ];
}
