// The kernel: hot loops over plain memory. It imports nothing, allocates nothing and keeps no state between calls: the
// caller lays out all data in its memory (layout.ts, raster/layout.ts) and passes addresses. The order of its arithmetic is
// fixed, so that every machine gives the same bits.

export { findBacks } from './backs.ts';
export { paintPicture } from './chartPicture.ts';
export { sampleChart } from './chartSamples.ts';
export { chartsOf } from './charts.ts';
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
export { buildFans, buildHierarchy, nearestTriangles } from './hierarchy.ts';
export { comparePictures } from './raster/compare.ts';
export { draw } from './raster/draw.ts';
export { project } from './raster/project.ts';
export { decodeTexels } from './raster/texture.ts';

/** The first address that the caller may use. */
export function memoryBase(): usize {
  return __heap_base;
}
