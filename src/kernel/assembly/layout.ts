// The kernel is hot loops over plain memory. It imports nothing, allocates nothing and keeps no state between calls: the caller
// lays out all data in its memory (the files named layout.ts) and passes addresses. The order of its arithmetic is fixed, so that
// every machine gives the same bits.
//
// What the caller writes into memory for the kernel, word by word in the order of the fields (kernel.ts and its users).
// Pointers are addresses in bytes. All vertices are 3 float32; all numbers of vertices, triangles and ids are uint32.

/** No position id, no vertex, no triangle. */
export const NONE: u32 = 0xffffffff;

/** Triangles over positions. */
@unmanaged
export class MeasuredSurface {
  positions: usize;
  /** Three vertices for each triangle. */
  indices: usize;
  /** The position id of each vertex. */
  ids: usize;
  triangleCount: u32;
  /** Ids of the surface's triangles are below this. */
  idCount: u32;
  /** For each id the first vertex there, and the first triangle; NONE where the surface has none. */
  vertexAt: usize;
  triangleAt: usize;
}

/** A bounding volume hierarchy over the triangles of a surface. */
@unmanaged
export class Hierarchy {
  positions: usize;
  indices: usize;
  triangleCount: u32;
  /** A power of two, at least a quarter of the triangles. */
  leafCount: u32;
  /** Nine coordinates for each triangle, in Morton order. */
  triangles: usize;
  /** The number of each of these triangles in `indices`. */
  order: usize;
  /**
   * Six float32 for each node, least and greatest corner; node 1 is the root, nodes 2i and 2i + 1 are the halves of node
   * i. The numbers of the two halves are interleaved.
   */
  boxes: usize;
  /** The triangle, in Morton order, where the last search ended: neighbouring points often end in the same one. */
  lastTriangle: u32;
  /** The triangles around id i, by their numbers in Morton order: fanTriangles from fanBegins[i] to before fanBegins[i + 1]. */
  fanBegins: usize;
  fanTriangles: usize;
}

/** Points of a surface whose distances are measured: those spread over it, then vertices. */
@unmanaged
export class Points {
  /** 3 float64 a spread point. */
  positions: usize;
  /** The triangle that each spread point lies in. */
  triangles: usize;
  spreadCount: u32;
  /** Position ids of the vertices. */
  vertexIds: usize;
  vertexCount: u32;
}

/** Where `farthest` writes what it finds. */
@unmanaged
export class Found {
  /** Points that were the furthest so far, or promise one that is further: the triangle and the squared distance of each. */
  count: u32;
  triangles: usize;
  /** float64. */
  distances: usize;
  /** Points further than allowed, and the greatest distance of such a point at each position id: float64, 0 for none. */
  deviatingCount: u32;
  greatest: usize;
}

/** The plane of a chart: unit vectors, and a grid of samples from a corner on. All float64. */
@unmanaged
export class Plane {
  ux: f64;
  uy: f64;
  uz: f64;
  vx: f64;
  vy: f64;
  vz: f64;
  nx: f64;
  ny: f64;
  nz: f64;
  /** Coordinates of the corner along u and v, in metres. */
  lowU: f64;
  lowV: f64;
  /** Metres from sample to sample; of a chart that has no grid yet its greatest coordinate along u, … */
  step: f64;
  /** … and how far off the plane's surface detail may lie; else the greatest coordinate along v. */
  reach: f64;
}

/** What `chartsOf` works with. All arrays have an entry for each triangle unless they say otherwise. */
@unmanaged
export class Charting {
  positions: usize;
  indices: usize;
  /** The position id of each vertex. */
  ids: usize;
  triangleCount: u32;
  /** 3 float64 each: unit normals. */
  normals: usize;
  /** float64 each. */
  areas: usize;
  /** The triangles, the largest first. */
  order: usize;
  /** A word for each corner: the triangle beyond the edge that begins there, or NONE. */
  neighbours: usize;
  /** A word for each corner. */
  firstCorners: usize;
  /** Corners by their edges: a power of two of words, more than corners. */
  edges: usize;
  edgeCount: u32;
  /** A byte each. */
  assigned: usize;
  grown: usize;
  /** A byte for each sample of the largest grid of `maxSamples` along a side. */
  covered: usize;
  maxSamples: u32;
  /** Results: the triangles chart by chart; the number of the first triangle after each chart; a Plane for each chart. */
  triangles: usize;
  ends: usize;
  planes: usize;
}

/** A chart's samples. All arrays have a word for each one. */
@unmanaged
export class Sampling {
  /** Of the proxy. */
  positions: usize;
  indices: usize;
  /** The hierarchy over full detail, and two float32 for each of its vertices. */
  tree: usize;
  uv0: usize;
  columns: u32;
  rows: u32;
  /** float32: how far along the normal the proxy lies, NaN beside the chart, … */
  depths: usize;
  /** … and the full detail that is seen there. */
  heights: usize;
  /** The number of its triangle; NONE: no detail is near. */
  triangles: usize;
  /** float32: its texture coordinates, and the area in texture coordinates that the sample spans. */
  u: usize;
  v: usize;
  uvArea: usize;
}

/** What pictures are painted with. */
@unmanaged
export class Painting {
  /** A Source for each number, and for each triangle that number. */
  sources: usize;
  sourceOf: usize;
  /** Of the picture: texels without the border, samples along a texel's side, texels of the border. */
  width: u32;
  height: u32;
  samples: u32;
  gutter: u32;
  /** Seven float64 a texel without the border: colour, emission, samples. */
  sums: usize;
  /** Three float32 a texel with the border, linear. */
  colors: usize;
  emission: usize;
  /** The colours as sRGB bytes. */
  bytes: usize;
  /** A byte a texel: 0 shows nothing, 1 shows something, 2 and on got their colours from neighbours. Twice. */
  ring: usize;
  /** Results: seven float64: the mean colour and emission of the texels that have samples, and the most emission. */
  mean: usize;
  /** The address of an image's level that has no texels here yet. */
  missing: usize;
  /** Tables: float64 for each sRGB byte, and sRGB bytes for steps of linear values (textures/bake/color.ts). */
  linearOfByte: usize;
  byteOfLinear: usize;
}

/** What a surface has its look from. */
@unmanaged
export class Source {
  red: f64;
  green: f64;
  blue: f64;
  redLight: f64;
  greenLight: f64;
  blueLight: f64;
  /** Images that the factors are multiplied by: the number of levels, then an ImageLevel each. 0: white. */
  colorImage: usize;
  lightImage: usize;
  isLit: u32;
}

@unmanaged
export class ImageLevel {
  width: u32;
  height: u32;
  /** RGBA bytes; 0: they are not in memory yet. */
  texels: usize;
}
