// Reads the source into a scene.

import { isDeepStrictEqual } from 'node:util';
import type { RigOptions } from '../../animation/rig.ts';
import type { RigSettings } from '../../config/types.ts';
import { DEFAULT_FORMAT, FORMATS } from '../../formats/registry.ts';
import { hasMorphs } from '../../scene/morphs.ts';
import type { Scene } from '../../scene/types.ts';
import type { Output } from '../outputs/output.ts';
import type { ReadScene } from '../planned.ts';
import type { Session } from '../session.ts';
import { authoredLevels, NO_AUTHORED_LEVELS, withoutMeshesOf } from './read/authoredLevels.ts';
import { withEqualMaterials } from './read/equalMaterials.ts';
import { reportNotes } from './read/notes.ts';
import { sceneObjects } from './read/objects.ts';
import { reportUndrawnSets } from './read/undrawnSets.ts';

const USUAL_RIG: RigSettings = { animations: 'all', keepKeys: false, animateNodes: false };

/**
 * Reads the source: its scene with surfaces refined and skeletons as the engine plays them, and the objects that are to be
 * distributed. Meshes are read when they are needed. Throws what the importers throw, and UC2200 where nothing is drawn.
 */
export async function readScene(session: Session, output: Output): Promise<ReadScene> {
  const { job, opened, diagnostics, progress } = session;
  progress({ phase: 'read', done: 0, total: 1 });
  const { subdivide = 0, authoredLods = 'use', alwaysLoaded = [], equalMaterials = 'named', viewerZone } = job.settings;
  const lodGroups = authoredLods !== 'keep';
  const { hasLenses, hasColorSets, hasUvSets, ...facts } = FORMATS[job.settings.format ?? DEFAULT_FORMAT];
  const keepsRigs = output.still === null;
  // What eyes of a zone see is drawn with materials made for it.
  const keepsMaterials = viewerZone === undefined && facts.keepsMaterials;
  const keeps = { keepsRigs, keepsLenses: keepsRigs && hasLenses, keepsSets: hasColorSets, keepsMaterials };
  // Prims that are read for their bounds.
  const markers = [...(viewerZone?.prims ?? []), ...(viewerZone?.portals ?? [])];
  const source = await opened.read(
    { subdivides: subdivide > 0, ...keeps, lodGroups, ...(markers.length > 0 ? { markers } : {}) },
    diagnostics,
  );
  if (!keepsNotes(session, output)) reportNotes(source, null, diagnostics);
  const read = await withEqualMaterials(source, equalMaterials);
  const { hidden, objects: found } = lodGroups ? authoredLevels(read, diagnostics) : NO_AUTHORED_LEVELS;
  // What moves is written with full detail alone.
  const rig = await rigOf(withoutMeshesOf(read, hidden), hidden, session, output);
  const authored = rig?.scene ?? read;
  const whole =
    subdivide === 0
      ? authored
      : (await import('./read/subdivided.ts')).subdividedScene(authored, subdivide, diagnostics);
  const zone = viewerZone
    ? await (await import('../zone/seenScene.ts')).seenScene(whole, rig, hidden, viewerZone, session)
    : null;
  const scene = zone?.scene ?? whole;
  reportUndrawnSets(source, { hasColorSets, hasUvSets }, zone && scene.nodes, diagnostics);
  const objects = sceneObjects(scene, hidden, alwaysLoaded, diagnostics);
  const levels = authoredLods === 'use' && zone === null ? found : [];
  return { scene, rig, objects, authored: levels, hidden, zone };
}

/** Whether the output has a place for what applications have noted; it then says what is lost. */
const keepsNotes = ({ job: { settings } }: Session, { still }: Output): boolean =>
  still === null && FORMATS[settings.format ?? DEFAULT_FORMAT].tree === 'scaled';

/** Skeletons and clips of a scene; null: the output has no place for them, or nothing moves. */
async function rigOf(scene: Scene, hidden: ReadonlySet<number>, { job, diagnostics }: Session, output: Output) {
  const { still } = output;
  const { rig, subdivide = 0, format = DEFAULT_FORMAT } = job.settings;
  if (still !== null) {
    const { morphs, ...others } = rig ?? USUAL_RIG;
    const remedy = 'leave it out, or cook what moves into one file with --out FILE.untold or --out-each';
    if (morphs) diagnostics.report('UC1015', job.source, '--morphs', still, remedy);
    if (!isDeepStrictEqual(others, USUAL_RIG)) diagnostics.report('UC1015', job.source, '--animations', still, remedy);
    return null;
  }
  const isMorphed = scene.meshes.some(hasMorphs);
  if ((scene.skins ?? []).length === 0 && (scene.clips ?? []).length === 0 && !isMorphed) return null;
  const { hasMorphs: holdsMorphs, isWhole } = FORMATS[format];
  const morphs: RigOptions['morphs'] = holdsMorphs ? (rig?.morphs ?? 'skinned') : 'none';
  if (isMorphed && !holdsMorphs && rig?.morphs !== 'none') {
    diagnostics.report('UC2336', job.source, '', `left out all morph targets: ${format} files have none`);
  }
  const wanted = rig ?? USUAL_RIG;
  const held = wanted.animateNodes ? null : (output.held?.(scene, hidden, job.settings) ?? null);
  const options = { ...wanted, held, holdsWeights: isWhole && holdsMorphs, morphs, subdivides: subdivide > 0 };
  const { riggedScene } = await import('../../animation/rig.ts');
  return riggedScene(scene, options, diagnostics);
}
