// Cameras (glTF 2.0, 3.10): the definitions of the file, and the cameras of the scene. Geometry does not depend on them, so
// an unusable one is left out with a warning.

import { rigidFrame } from '../../../scene/matrix.ts';
import type { ParallelCamera, SceneCamera } from '../../../scene/types.ts';
import { hasFiniteTranslation } from '../../photometry.ts';
import type { Element } from '../document/element.ts';
import type { Notes } from '../document/notes.ts';
import type { Attachment } from './placements.ts';

type Placed = 'path' | 'world';
/** A camera before it has a place; one with `halfWidth` is orthographic. */
type CameraDef = Omit<SceneCamera, Placed> | Omit<ParallelCamera, Placed>;

/** The cameras of a scene. */
export interface PlacedCameras {
  readonly cameras: readonly SceneCamera[];
  readonly parallelCameras: readonly ParallelCamera[];
}

/**
 * Width by height of a camera without `aspectRatio`, which leaves it to the window: the engine's own default. The engine
 * draws with the aspect of the window in any case.
 */
export const DEFAULT_ASPECT_RATIO = 1.5;
/**
 * Metres to the far plane of an infinite projection (no `zfar`): the engine's own default. The engine streams tiles within
 * 500 m, so that the far plane cuts none of them.
 */
const DEFAULT_FAR = 1000;
/** Least ratio of far to near plane, for cameras whose near plane is far away. */
const MIN_DEPTH_RATIO = 10;

/** An orthographic camera; null: its numbers are out of range. Signs of xmag and ymag are dropped: glTF leaves open what they mean. */
function readParallel(camera: Element, name: string): CameraDef | null {
  const lens = camera.child('orthographic');
  const [halfWidth, halfHeight] = ['xmag', 'ymag'].map((key) => Math.abs(lens?.number(key, 0) ?? 0));
  const [near, far] = ['znear', 'zfar'].map((key) => lens?.number(key, 0) ?? 0);
  const [width, height, first, last] = [halfWidth, halfHeight, near, far].map(Math.fround);
  const isSound = width > 0 && height > 0 && first >= 0 && last > first && [width, height, last].every(Number.isFinite);
  return isSound ? { name, halfWidth, halfHeight, near, far } : null;
}

function readCamera(camera: Element, keepsLenses: boolean, notes: Notes): CameraDef | null {
  const { path, name } = camera;
  const leave = (kind: string, tell: (names: string) => string): null => {
    notes.add('UC1351', kind, path, name, tell);
    return null;
  };
  const outOfRange = (names: string) => `field of view, aspect or clip planes are out of range, left out: ${names}`;
  if (camera.string('type') === 'orthographic') {
    if (keepsLenses) return readParallel(camera, name) ?? leave('numbers', outOfRange);
    return leave('orthographic', (names) => `cooked files hold perspective cameras only, left out: ${names}`);
  }
  const lens = camera.child('perspective');
  const fovY = lens?.number('yfov', 0) ?? 0;
  const near = lens?.number('znear', 0) ?? 0;
  const aspectRatio = lens?.number('aspectRatio', DEFAULT_ASPECT_RATIO) ?? DEFAULT_ASPECT_RATIO;
  const infinite = lens !== null && !lens.has('zfar');
  const far = infinite ? Math.max(DEFAULT_FAR, near * MIN_DEPTH_RATIO) : (lens?.number('zfar', 0) ?? 0);
  const degrees = (fovY * 180) / Math.PI;
  // In float32, as the file stores them: near and far planes that differ in float64 only are the same to the engine.
  const stored = [degrees, near, far, aspectRatio].map(Math.fround);
  if (!stored.every((value) => value > 0 && value < Infinity) || stored[0] >= 180 || stored[2] <= stored[1]) {
    return leave('numbers', outOfRange);
  }
  if (infinite && !keepsLenses) {
    const change = `the far plane is set to ${DEFAULT_FAR} m, or ${MIN_DEPTH_RATIO} near planes where that is more`;
    notes.add('UC1381', '', path, name, (names) => `${change}: ${names}`);
  }
  const open = {
    ...(infinite ? ({ far: true } as const) : {}),
    ...(lens?.has('aspectRatio') ? {} : ({ aspectRatio: true } as const)),
  };
  const isOpen = keepsLenses && Object.keys(open).length > 0;
  return { name, fovY: degrees, near, far, aspectRatio, ...(isOpen ? { open } : {}) };
}

/** All cameras of the file, null for those that are left out: UC1351, UC1381; UC1307 for JSON of the wrong type. */
export function readCameras(root: Element, keepsLenses: boolean, notes: Notes): readonly (CameraDef | null)[] {
  return root.elements('cameras').map((camera) => readCamera(camera, keepsLenses, notes));
}

/** The cameras of the scene's nodes, with the names of the nodes, or their own if a node has none. */
export function placeCameras(
  defs: readonly (CameraDef | null)[],
  attached: readonly Attachment[],
  notes: Notes,
): PlacedCameras {
  const cameras: SceneCamera[] = [];
  const parallelCameras: ParallelCamera[] = [];
  for (const { node, world } of attached) {
    const def = node.camera < 0 ? null : defs[node.camera];
    if (!def) continue;
    const { path } = node;
    const name = node.name === '' ? def.name : node.name;
    if (!hasFiniteTranslation(world)) {
      notes.add('UC1351', 'position', path, name, (names) => `the position does not fit float32, left out: ${names}`);
      continue;
    }
    const placed = { name, path, world: rigidFrame(world), ...(def.name === name ? {} : { ownName: def.name }) };
    if ('halfWidth' in def) parallelCameras.push({ ...def, ...placed });
    else cameras.push({ ...def, ...placed });
  }
  return { cameras, parallelCameras };
}
