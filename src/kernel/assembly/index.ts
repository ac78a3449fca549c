// The kernel: hot loops over plain memory. It imports nothing, allocates nothing and keeps no state between calls: the
// caller lays out all data in its memory (the files named layout.ts) and passes addresses. The order of its arithmetic is
// fixed, so that every machine gives the same bits.

export { firstIllegalBlock } from './astc/decode/block.ts';
export { decodeAstc } from './astc/decode/image.ts';
export { encodeAstc } from './astc/encode/image.ts';
export { copyBytes, copyFloats, markSeams, sumUvAreas } from './attributes.ts';
export { findBacks } from './backs.ts';
export { cacheOrderBytes, orderForCache } from './cacheOrder.ts';
export {
  boundPlants,
  cardAreas,
  coverPlants,
  growCards,
  numberPlants,
  squaresBytes,
  thinPlants,
} from './cards.ts';
export { paintPicture } from './chartPicture.ts';
export { sampleChart } from './chartSamples.ts';
export { chartsOf } from './charts.ts';
export {
  addLocks,
  changedCorners,
  keepComponents,
  losesLocked,
  mixesMeshes,
  nearestVertex,
  pickFlags,
  spreadFlags,
  unflaggedCorners,
} from './collapse.ts';
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
  everySoMany,
  featureBoxes,
  featuresOfTriangles,
  joinFeatures,
  leastOfFeatures,
  leastWithin,
  spreadOverFeatures,
} from './features.ts';
export { buildFans, buildHierarchy, facingWithin, nearestTriangles } from './hierarchy.ts';
export { decodeIntegers, integerFacts, integerPayload } from './integers.ts';
export { islandReach, islandRows, joinIslands, moveIslands } from './islands.ts';
export { faceNormals, greatestLeans, hardPositions } from './levelNormals.ts';
export { idsAtBad, makeNormals, mostRows, replaceLeaning, shadingFanBytes } from './levelShading.ts';
export { makeMips } from './mips/chain.ts';
export { countAlphas, countPassing, isOpaque, scaleAlphas } from './mips/coverage.ts';
export { premultiply, resampleBytes, resampleHeights, unpremultiply } from './mips/engine.ts';
export { widenRoughness } from './mips/roughness.ts';
export { readPlainNumbers } from './numberText.ts';
export {
  boxOfRows,
  copyRows,
  dropWithoutArea,
  numberByUse,
  numberLocally,
  raiseIndices,
  remapIndices,
  sumOfSquares,
  verticesOfRuns,
} from './order.ts';
export { packVertices } from './pack.ts';
export { comparePictures } from './raster/compare.ts';
export { draw } from './raster/draw.ts';
export { project } from './raster/project.ts';
export { decodeTexels } from './raster/texture.ts';
export { pickRows, rowsByNumber } from './rows.ts';
export {
  cornersOfCopies,
  insertCopies,
  normalsOfCopies,
  rowsOfMade,
  sumCopyTangents,
  tangentsOfCopies,
} from './splitLevel.ts';
export {
  cornersAround,
  fanBytes,
  firstGroups,
  groupCorners,
  hasSame,
  joinSame,
  openVertices,
  orientations,
  splitByGroup,
  spreadTangents,
  sumTangents,
  tangentRows,
  unitSums,
} from './tangents.ts';
export { mapChannel } from './texels.ts';
export { greatest, scanVertices, unpackVertices } from './unpack.ts';
export {
  closeGaps,
  fillTable,
  firstOfEach,
  firstRows,
  numberPositions,
  partRows,
  placeColumn,
  rowsInBoxes,
  tableSize,
} from './weld.ts';

/** The first address that the caller may use. */
export function memoryBase(): usize {
  return __heap_base;
}
