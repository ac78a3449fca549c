// Sharpness of edges and vertices of a subdivision surface: what it means and how it decays. For the rules of vertices
// (masks.ts) and of face-varying values (faceVarying.ts). Rules: OpenSubdiv, "Semi-Sharp Creases" (DeRose et al. 1998),
// creasing method 'uniform', the only one that UsdGeomMesh knows.

/** From here on sharpness never decays; USD writes 10 (UsdGeomMesh SHARPNESS_INFINITE). */
export const INFINITELY_SHARP = 10;

/** The sharpness of a child: each step takes one away; infinite stays infinite. */
export function childSharpness(sharpness: number): number {
  if (sharpness >= INFINITELY_SHARP) return INFINITELY_SHARP;
  return sharpness > 1 ? sharpness - 1 : 0;
}

/** Sharp, but not infinitely: it fades with the steps. */
export function isSemiSharp(sharpness: number): boolean {
  return sharpness > 0 && sharpness < INFINITELY_SHARP;
}
