// What a flattened stage has of shading: the nodes that ARKit knows, those of UsdPreviewSurface. Nodes of other renderers and
// of MaterialX are left out with what leads to them.

import type { Stage, StageAttribute, StagePrim } from '../compose/stage/stage.ts';
import { shaderId } from '../shade/network/network.ts';

/** The nodes of the specification of UsdPreviewSurface. */
const KNOWN = /^Usd(?:PreviewSurface|UVTexture|Transform2d|PrimvarReader_\w+)$/;
/** Outputs of a material for one renderer: `outputs:mtlx:surface`. */
const OF_A_RENDERER = /^outputs:[^:]+:(?:surface|displacement|volume)$/;
/** Attributes that only nodes of other renderers have. */
const SOURCE = /^info:(?:.+:)?sourceAsset|^info:sourceCode/;

/** Node graphs in each other; a longer way is a loop. */
const MAX_STEPS = 64;

const isForeign = (prim: StagePrim): boolean => prim.typeName === 'Shader' && !KNOWN.test(shaderId(prim));

/** Whether a prim is in the flattened stage. */
export const isShown = (prim: StagePrim): boolean => !isForeign(prim);

/** Whether a property is left out of it. */
export function leavesOut(prim: StagePrim, name: string): boolean {
  if (prim.typeName === 'Material') return OF_A_RENDERER.test(name);
  return prim.typeName === 'Shader' && SOURCE.test(name);
}

/** The connections of an attribute without those to nodes that are left out. */
export function keptConnections(stage: Stage, targets: readonly string[]): readonly string[] {
  return targets.filter((target) => {
    const prim = stage.prim(target.slice(0, target.lastIndexOf('.')));
    return prim !== undefined && isShown(prim);
  });
}

/** The identifier of the surface of a material that has no UsdPreviewSurface; null: it has one, or no surface at all. */
export function unknownSurface(stage: Stage, material: StagePrim): string | null {
  let unknown: string | null = null;
  for (const name of material.propertyNames()) {
    if (!/^outputs:(?:[^:]+:)?surface$/.test(name)) continue;
    const node = shaderBehind(stage, material.attribute(name));
    if (node === null) continue;
    if (/^outputs:(?:glslfx:)?surface$/.test(name) && !isForeign(node)) return null;
    unknown ??= shaderId(node) || 'a shader without an identifier';
  }
  return unknown;
}

/** The shader that an output leads to through node graphs; null: none. */
function shaderBehind(stage: Stage, output: StageAttribute | null): StagePrim | null {
  let at = output;
  for (let steps = 0; at && steps < MAX_STEPS; steps++) {
    const [target] = at.connections();
    if (target === undefined) return null;
    const dot = target.lastIndexOf('.');
    const prim = stage.prim(target.slice(0, dot));
    if (!prim || prim.typeName === 'Shader') return prim ?? null;
    at = prim.attribute(target.slice(dot + 1));
  }
  return null;
}
