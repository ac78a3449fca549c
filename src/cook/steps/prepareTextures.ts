// Makes the textures and materials of a scene, and decides where its vertex colours go.

import { enforcePolicy } from '../../diagnostics/policy.ts';
import type { Authored, Format } from '../../formats/format.ts';
import { DEFAULT_FORMAT, FORMATS, loadFormat } from '../../formats/registry.ts';
import { textureFiles } from '../../formats/textureFiles.ts';
import { UniqueNames } from '../../formats/uniqueNames.ts';
import type { OutputSet } from '../../output/outputSet.ts';
import type { Scene, SceneMesh } from '../../scene/types.ts';
import { prepareMaterials } from '../../textures/prepare.ts';
import { KEPT_TEXTURES, type PreparedMaterial, type PreparedMaterials } from '../../textures/types.ts';
import { DEFAULT_MATERIAL } from '../../workers/jobs.ts';
import type { PreparedScene } from '../made.ts';
import type { Output } from '../outputs/output.ts';
import type { CookPlan } from '../planned.ts';
import type { Session } from '../session.ts';
import { type GradeFile, gradeFile, gradeIn } from './textures/colorGrade.ts';
import { neededTexels, withSmaller } from './textures/sceneTextures.ts';
import { withTextureMaker } from './textures/textureMaker.ts';
import { densityReader, uvReader } from './textures/uvTriangles.ts';
import { materialOf, planColors } from './textures/vertexColors.ts';

/**
 * Makes the files of all textures that drawn materials use, with the smaller ones that levels are drawn with, and decides for
 * each mesh where its vertex colours go. Throws the errors that are known before the long part begins.
 */
export async function prepareTextures(
  plan: CookPlan,
  set: OutputSet,
  session: Session,
  output: Output,
): Promise<PreparedScene> {
  const { job, diagnostics, progress, cache } = session;
  const { settings } = job;
  const { scene, objects } = plan;
  const grade = job.colorGrade === undefined ? null : gradeFile(job.colorGrade, job.source, diagnostics);
  progress({ phase: 'textures', done: 0, total: 1 });
  const formatId = settings.format ?? DEFAULT_FORMAT;
  const { isWhole, hasUnlit, drawsColors } = FORMATS[formatId];
  const jobSettings = {
    source: job.source,
    format: formatId,
    textureSettings: settings.textures ?? KEPT_TEXTURES,
    cache: cache?.share() ?? null,
    write: {
      compression: settings.compress,
      formatVersion: settings.formatVersion,
      edges: settings.edges,
      sharedTextures: output.textures?.uri,
      geometry: settings.geometry,
      layout: settings.layout,
    },
  };
  const files = textureFiles(jobSettings.textureSettings, cache);
  const byHand = [...plan.authored.objectsOf.values()].flat().flatMap(({ coarser }) => coarser.flat());
  const placed = [...objects.map(({ node }) => node), ...byHand];
  const meshes = new Set(placed.map((node) => scene.nodes[node].mesh));
  const prepared = await withTextureMaker(scene, jobSettings, session, (maker) =>
    prepareMaterials(
      scene,
      {
        ...settings,
        ...maker,
        maxPixels: job.limits?.pixels,
        // The bytes of textures that go into the file itself stay at hand.
        ...(isWhole ? {} : { held: set.held }),
        readUvDensity: densityReader(scene, meshes),
        keepsUnlit: ({ usesVertexColors }) => hasUnlit || (usesVertexColors && drawsColors),
        onTexels: (done, total) => progress({ phase: 'textures', done, total }),
      },
      uvReader(scene, meshes),
      diagnostics,
    ),
  );
  const withDefault = [...meshes].some((mesh) => drawsWithoutMaterial(scene.meshes[mesh]));
  const materials = uniquelyNamed(prepared.materials, withDefault);
  const material = (index: number) => (index < 0 ? DEFAULT_MATERIAL : materials[index]);
  const colors = await planColors(scene, meshes, material, files, FORMATS[formatId]);
  const format = await loadFormat(formatId);
  const authored = authoredIn(plan, grade, format, output);
  reportLosses(authored, prepared, format, session);
  // Report errors that are known already before the long part begins.
  enforcePolicy(diagnostics.list, job.policy);

  const needed = plan.zone ? neededTexels(prepared, plan.zone.texels, drawnMaterials(scene, meshes)) : undefined;
  const wishes = { areWanted: plan.levels !== null, limits: settings.textureLimits, needed };
  const textures = await withSmaller(prepared.textures, files, set.held, wishes);
  const jobScene = { ...jobSettings, materials, textures, palettes: colors.textures };
  return { format, jobScene, colors, grade, authored: authored ?? {} };
}

/** What each payload carries by itself; null: the main file does. */
function authoredIn(plan: CookPlan, grade: GradeFile | null, format: Format, output: Output): Authored | null {
  const authored = output.authored(plan, format.isWhole);
  return authored && { ...authored, ...gradeIn(grade, '') };
}

function reportLosses(
  authored: Authored | null,
  prepared: PreparedMaterials,
  format: Format,
  { job, diagnostics }: Session,
): void {
  const losses = authored ? format.lossesOf(authored, job.source, prepared) : [];
  const warnings = format.compressionWarnings(job.settings.compress, job.source);
  for (const item of [...losses, ...warnings]) diagnostics.add(item);
}

/**
 * The materials with names that no two share and none lacks, so that every tile calls a material the same. `withDefault`:
 * something is drawn without a material, and the name of the default one is taken.
 */
function uniquelyNamed(materials: readonly PreparedMaterial[], withDefault: boolean): PreparedMaterial[] {
  const names = new UniqueNames();
  if (withDefault) names.take(DEFAULT_MATERIAL.name, '');
  return materials.map((material) => ({ ...material, name: names.take(material.name, 'material') }));
}

/** The materials that meshes are drawn with; -1 for none. */
function drawnMaterials({ meshes }: Scene, drawn: ReadonlySet<number>): Set<number> {
  const used = [...drawn].flatMap((mesh) =>
    meshes[mesh].primitives.flatMap((primitive) =>
      [-1, ...primitive.subsets.keys()].map((subset) => materialOf(primitive, subset)),
    ),
  );
  return new Set(used);
}

function drawsWithoutMaterial({ primitives }: SceneMesh): boolean {
  return primitives.some((primitive) =>
    [-1, ...primitive.subsets.keys()].some((subset) => materialOf(primitive, subset) < 0),
  );
}
