// advise(): what a source could do without, before it is cooked, with what each saves and the option that does it.

import type { OptionsOf } from '../../config/options/option.ts';
import { ADVISE_CALL_OPTIONS } from '../../config/options/table.ts';
import { deviceNamed } from '../../config/projectDevices.ts';
import { showPath } from '../../config/showPath.ts';
import { urlFault } from '../../config/sources.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { type Diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { DEVICES } from '../../engine/devices.ts';
import { TEXTURE_SLOTS } from '../../scene/materialSlots.ts';
import type { Scene } from '../../scene/types.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { workingFolder } from '../call/environment.ts';
import { failedCall } from '../call/faults.ts';
import { importScene } from '../importScene.ts';
import { ADVICE, type Advice, type AdviceKind, type AdviseDocument } from './document.ts';
import { equalImages, equalMaterials, equalMeshes } from './equals.ts';
import { emptyNodes, farObjects, mergeableParts, wrongUnits, wrongUpAxis } from './layout.ts';
import { type PlacedNode, placedNodes } from './placed.ts';
import { wastedSurfaces } from './surfaces.ts';
import { largeTextures } from './textures.ts';

/** The options of `untold advise` in camelCase. */
export interface AdviseOptions extends OptionsOf<typeof ADVISE_CALL_OPTIONS>, CallOptions {}

export interface AdviseResult {
  readonly exitCode: number;
  /** Null when the call was refused, or the source has errors. */
  readonly document: AdviseDocument | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** The images that drawn materials read, in their order. */
function usedImages({ materials }: Scene, placed: readonly PlacedNode[]): number[] {
  const drawn = [...new Set(placed.flatMap((node) => node.materials))].sort((a, b) => a - b);
  const used = drawn.flatMap((material) =>
    TEXTURE_SLOTS.flatMap((slot) => materials[material]?.textures[slot]?.image ?? []),
  );
  return [...new Set(used)];
}

const ORDER = Object.keys(ADVICE) as AdviceKind[];

/** All advice on a scene. `pixelsPerDegree`: of the device. */
async function adviceOn(scene: Scene, pixelsPerDegree: number, signal: AbortSignal | undefined): Promise<Advice[]> {
  const placed = placedNodes(scene);
  const meshes = new Set(placed.map(({ mesh }) => mesh));
  const found: Advice[] = [
    ...mergeableParts(scene, placed),
    ...emptyNodes(scene),
    ...wrongUnits(placed),
    ...wrongUpAxis(scene, placed),
    ...farObjects(placed),
  ];
  const steps = [
    () => equalMeshes(scene, placed),
    () => equalMaterials(scene, placed),
    () => equalImages(scene, usedImages(scene, placed)),
    () => largeTextures(scene, meshes, pixelsPerDegree),
    () => wastedSurfaces(scene, placed),
  ];
  for (const step of steps) {
    throwIfAborted(signal);
    found.push(...(await step()));
  }
  return found.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

/** Where nobody knows the pixels of a device, those of the headset count: no screen in a hand shows more from as near. */
const usualPixels = DEVICES['vision-pro'].pixelsPerDegree as number;

async function adviseOn(file: string, given: AdviseOptions, cwd: string): Promise<AdviseResult> {
  const { device: name = 'vision-pro', ...reading } = checkOptions(ADVISE_CALL_OPTIONS, given, cwd);
  const { id: device, pixelsPerDegree } = deviceNamed(name);
  const url = urlFault(file);
  if (url !== null) throw new SourceError(url);
  if (file === '') fail('UC1003', '', '', 'the name of the source is empty', 'give a file');
  const { environment, signal } = given;
  const { scene, diagnostics, exitCode } = await importScene(file, { ...reading, environment, signal });
  if (scene === null) return { exitCode, document: null, diagnostics };
  const placed = placedNodes(scene);
  const totals = {
    objects: placed.length,
    meshes: new Set(placed.map(({ mesh }) => mesh)).size,
    triangles: placed.reduce((sum, { triangles }) => sum + triangles, 0),
    materials: new Set(placed.flatMap(({ materials }) => materials)).size,
    images: usedImages(scene, placed).length,
  };
  const advice = await adviceOn(scene, pixelsPerDegree ?? usualPixels, signal);
  const document = { source: showPath(scene.source, cwd), device, totals, advice, diagnostics };
  return { exitCode, document, diagnostics: [] };
}

/** Runs a call of advise(). Rejects only for a bug. */
export async function runAdvise(file: string, given: AdviseOptions): Promise<AdviseResult> {
  try {
    throwIfAborted(given.signal);
    return await adviseOn(file, given, workingFolder(given));
  } catch (error) {
    return { document: null, ...failedCall(error, given) };
  }
}
