// A level as it might be, how two of them compare, and the words for what stopped one.

import type { DrawnMesh, MeshMaterial } from '../../formats/format.ts';
import { isMadeOfCards } from '../../geometry/hlod/cards.ts';
import type { LeftOut, Level } from '../../geometry/lod/levels.ts';
import type { Float32Mesh } from '../../geometry/mesh/mesh.ts';
import type { Similarity } from './levelJudge.ts';

const OBSTACLES = {
  limit: 'more would be seen from where the level is shown',
  locks: 'the vertices on borders with other tiles have to stay',
  seams: 'borders of materials, seams of texture coordinates and open edges hold the rest',
} as const;

/** A level as it might be. */
export interface Candidate extends Pick<Level, 'triangles' | 'error'> {
  readonly meshes: readonly DrawnMesh[];
  /** Null: no pictures were asked for. */
  readonly similarity: Similarity | null;
  /** Metres that its surface may lie off. */
  readonly limit: number;
  /** Whether it has more triangles than wanted. */
  readonly isHeld: boolean;
  /** Of a level made by hand, the metres from which screen coverage asks for it; null: pictures or its deviation decide. */
  readonly byHand?: { readonly coverageFrom: number | null };
}

export const isShown = ({ similarity }: Candidate): boolean => similarity === null || similarity.passes;

/** Whether a level is not shown for its colours, among others. */
export function failsByColor({ similarity }: Candidate): boolean {
  return similarity !== null && !similarity.passes && similarity.failsByColor;
}

/** Whether a candidate is shown from nearer than another; of two that are not shown, the one that looks more alike. */
export function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.similarity === null || b.similarity === null) return false;
  if (a.similarity.passes !== b.similarity.passes) return a.similarity.passes;
  return a.similarity.passes ? a.similarity.distance < b.similarity.distance : a.similarity.ssim > b.similarity.ssim;
}

export function similarityText({ distance, ssim, psnr, meanColor }: Similarity): string {
  const figures = `SSIM ${ssim.toFixed(3)}, PSNR ${psnr.toFixed(1)} dB, mean colour off by ${meanColor.toFixed(1)} of 255`;
  return `does not look like full detail from ${distance.toFixed(0)} m: ${figures}`;
}

/** Whether UVs reach anything: a texture of the material, a palette or an atlas. */
export function isTextured({ material, palette }: MeshMaterial): boolean {
  return palette !== null || Object.values(material.slots).some((slot) => slot >= 0);
}

/** What of meshes is measured: all but foliage. */
export function solid(meshes: readonly DrawnMesh[]): Float32Mesh[] {
  return meshes.filter((mesh) => !isFoliage(mesh)).map(({ mesh }) => mesh);
}

export function isFoliage({ surface, mesh }: Pick<DrawnMesh, 'surface' | 'mesh'>): boolean {
  return surface.material.alphaMode === 'mask' && isMadeOfCards(mesh);
}

export function leftOutText({ obstacle, triangles, before }: LeftOut): string {
  return `would have ${triangles} of the ${before} triangles before it: ${OBSTACLES[obstacle]}`;
}
