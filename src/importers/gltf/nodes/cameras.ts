// Cameras (glTF 2.0, 3.10): definitions of the file, and the cameras that the scene places. Their numbers decide no
// geometry: one that cannot be used is named in a warning and left out.

import { rigidFrame } from '../../../scene/matrix.ts';
import type { SceneCamera } from '../../../scene/types.ts';
import { hasFiniteTranslation } from '../../photometry.ts';
import type { Element } from '../document/element.ts';
import type { Notes } from '../document/notes.ts';
import type { Attachment } from './placements.ts';

type CameraDef = Omit<SceneCamera, 'path' | 'world'>;

/**
 * Width by height where the file leaves it to the window, which glTF does without `aspectRatio`: what the engine takes
 * for a camera that states none. The engine draws with the window's own in any case.
 */
const DEFAULT_ASPECT_RATIO = 1.5;
/**
 * Metres to the far plane of an infinite projection (no `zfar`): the engine's own default. Its tiles are asked for
 * within 500 m, so that nothing streamed is cut.
 */
const DEFAULT_FAR = 1000;
/** Far plane over near plane where the near one lies beyond that. */
const LEAST_DEPTH_RATIO = 10;

function readCamera(camera: Element, notes: Notes): CameraDef | null {
  const { path, name } = camera;
  const leave = (kind: string, tell: (names: string) => string): null => {
    notes.add('UC1351', kind, path, name, tell);
    return null;
  };
  const type = camera.string('type') ?? '';
  if (type === 'orthographic') {
    return leave('orthographic', (names) => `the engine knows perspective cameras only, left out: ${names}`);
  }
  const lens = camera.child('perspective');
  const fovY = lens?.number('yfov', 0) ?? 0;
  const near = lens?.number('znear', 0) ?? 0;
  const aspectRatio = lens?.number('aspectRatio', DEFAULT_ASPECT_RATIO) ?? DEFAULT_ASPECT_RATIO;
  const infinite = lens !== null && !lens.has('zfar');
  const far = infinite ? Math.max(DEFAULT_FAR, near * LEAST_DEPTH_RATIO) : (lens?.number('zfar', 0) ?? 0);
  const degrees = (fovY * 180) / Math.PI;
  // As the file stores them: what only double precision tells apart is one plane to the engine.
  const stored = [degrees, near, far, aspectRatio].map(Math.fround);
  if (!stored.every((value) => value > 0 && value < Infinity) || stored[0] >= 180 || stored[2] <= stored[1]) {
    return leave('numbers', (names) => `their field of view or planes cannot be used, left out: ${names}`);
  }
  if (infinite) {
    const set = `the far plane is set to ${DEFAULT_FAR} m, or ${LEAST_DEPTH_RATIO} near planes where that is more`;
    notes.add('UC1381', '', path, name, (names) => `${set}: ${names}`);
  }
  return { name, fovY: degrees, near, far, aspectRatio };
}

/** All cameras of the file, null for those that are left out: UC1351, UC1381; UC1307 for JSON of the wrong type. */
export function readCameras(root: Element, notes: Notes): readonly (CameraDef | null)[] {
  return root.elements('cameras').map((camera) => readCamera(camera, notes));
}

/** The cameras that the scene places, named as their nodes or, where those have no name, as they are themselves. */
export function placeCameras(
  defs: readonly (CameraDef | null)[],
  attached: readonly Attachment[],
  notes: Notes,
): SceneCamera[] {
  const cameras: SceneCamera[] = [];
  for (const { node, world } of attached) {
    const def = node.camera < 0 ? null : defs[node.camera];
    if (!def) continue;
    const { path } = node;
    const name = node.name === '' ? def.name : node.name;
    if (hasFiniteTranslation(world)) cameras.push({ ...def, name, path, world: rigidFrame(world) });
    else notes.add('UC1351', 'place', path, name, (names) => `they stand beyond float32, left out: ${names}`);
  }
  return cameras;
}
