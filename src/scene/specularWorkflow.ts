// Diffuse and specular colours to base colour and metallic: the conversion that Khronos publishes with
// KHR_materials_pbrSpecularGlossiness (examples/convert-between-workflows), but for specular colours below 4 %. Importers of
// every format convert factors with it, and the textures room texels, so that a material looks the same whatever its
// source's format.

import type { SpecularWorkflow, Vec3 } from './types.ts';

/** Reflectance of a dielectric at normal incidence in the metallic-roughness model (glTF 2.0, appendix B.3.5). */
export const DIELECTRIC = 0.04;

const EPSILON = 1e-6;

const clamp01 = (value: number): number => Math.min(Math.max(value, 0), 1);

/** Perceived brightness of a linear colour, by which the conversion judges how metallic it is. */
export function brightness(r: number, g: number, b: number): number {
  return Math.sqrt(0.299 * r * r + 0.587 * g * g + 0.114 * b * b);
}

/** Whether a specular colour is that of no metal, whatever the diffuse colour is. */
const isDielectric = ([r, g, b]: Vec3): boolean => brightness(r, g, b) <= DIELECTRIC;

/** The metallic factor that gives this diffuse and specular brightness; `strength` is 1 - max(specular). */
function solveMetallic(diffuse: number, specular: number, strength: number): number {
  if (specular <= DIELECTRIC) return 0;
  const b = (diffuse * strength) / (1 - DIELECTRIC) + specular - 2 * DIELECTRIC;
  const c = DIELECTRIC - specular;
  const root = Math.sqrt(Math.max(b * b - 4 * DIELECTRIC * c, 0));
  return clamp01((-b + root) / (2 * DIELECTRIC));
}

/**
 * Linear diffuse (first three of `from`) and specular colour (next three), each from 0 to 1, to a linear base colour and a
 * metallic factor, four numbers in `to`, each from 0 to 1.
 */
export function toMetallic(from: ArrayLike<number>, to: Float64Array): void {
  // A dielectric of the engine reflects 4 %. To brighten the base colour of one that reflects less would add to that.
  const strength = 1 - Math.max(from[3], from[4], from[5], DIELECTRIC);
  const metallic = solveMetallic(
    brightness(from[0], from[1], from[2]),
    brightness(from[3], from[4], from[5]),
    strength,
  );
  for (let c = 0; c < 3; c++) {
    const fromDiffuse = (from[c] * strength) / (1 - DIELECTRIC) / Math.max(1 - metallic, EPSILON);
    const fromSpecular = (from[3 + c] - DIELECTRIC * (1 - metallic)) / Math.max(metallic, EPSILON);
    const mixed = fromDiffuse + (fromSpecular - fromDiffuse) * metallic * metallic;
    to[c] = clamp01(mixed);
  }
  to[3] = metallic;
}

/** Like toMetallic, for a pair of colours; what exceeds 1 counts as 1. */
export function metallicOf(diffuse: Vec3, specular: Vec3): { readonly color: Vec3; readonly metallic: number } {
  const to = new Float64Array(4);
  toMetallic([...diffuse, ...specular].map(clamp01), to);
  return { color: [to[0], to[1], to[2]], metallic: to[3] };
}

/**
 * Base colour and metallic of a material of the specular workflow, as factors. `specularWorkflow`: the texels have to be
 * converted too. Those of diffuse colours need it only if they can become metallic; otherwise the factor does it.
 */
export function convertedFactors(
  workflow: SpecularWorkflow,
  hasDiffuseTexture: boolean,
  hasSpecularTexture: boolean,
): { readonly color: Vec3; readonly metallic: number; readonly specularWorkflow?: SpecularWorkflow } {
  const isTexels = hasSpecularTexture || (hasDiffuseTexture && !isDielectric(workflow.specular));
  return {
    ...metallicOf(workflow.diffuse, workflow.specular),
    ...(isTexels && { specularWorkflow: workflow }),
  };
}
