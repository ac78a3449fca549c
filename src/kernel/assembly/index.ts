// The kernel: hot loops over plain memory. It imports nothing, allocates nothing and keeps no state between calls: the
// caller lays out all data in its memory (layout.ts) and passes addresses. float64 arithmetic throughout, in a fixed order,
// so that every machine gives the same bits.

export { copyBytes, copyFloats, markSeams, sumUvAreas } from './attributes.ts';
export { boundComponents, joinComponents, sortByMesh } from './components.ts';
export {
  farthest,
  farthestInTriangle,
  findPositions,
  firstId,
  idCountOf,
  idsBeside,
  missingIds,
  reach,
  sharedIds,
  spreadPoints,
} from './deviation.ts';
export {
  addSilhouettes,
  facingDistances,
  featureBoxes,
  featuresOfTriangles,
  joinFeatures,
  pointsOutOfReach,
  spreadOverRows,
} from './features.ts';
export { buildFans, buildHierarchy, nearestTriangles } from './hierarchy.ts';
export { faceNormals, greatestLeans, hardPositions, leaningCorners } from './levelNormals.ts';
export { packVertices } from './pack.ts';
export { rowsByNumber } from './rows.ts';

/** The first address that the caller may use. */
export function memoryBase(): usize {
  return __heap_base;
}
