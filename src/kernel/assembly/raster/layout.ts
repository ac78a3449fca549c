// What the caller writes into memory for the renderer (src/raster/placed.ts). Pointers are addresses in bytes, vectors are
// three numbers, colours are linear unless something else is said.

/** Triangles in world space with their surfaces. All numbers of a vertex are float32, all indices uint32. */
@unmanaged
export class Scene {
  /** 3 a vertex. */
  positions: usize;
  /** 3 a vertex, of any length; zeros: the triangle's own normal counts. */
  normals: usize;
  /** 2 a vertex, V up. */
  uvs: usize;
  /** 4 bytes a vertex; 0: no mesh has colours. */
  colors: usize;
  /** 3 a triangle. */
  indices: usize;
  /** The number of each triangle's surface. */
  surfaceOf: usize;
  vertexCount: u32;
  triangleCount: u32;
  /** The surfaces, SURFACE_BYTES each. */
  surfaces: usize;
}

export const OPAQUE: u32 = 0;
export const MASK: u32 = 1;
export const BLEND: u32 = 2;

/** Light falls on it; light falls on it, and it emits light; its base colour is shown as it is. */
export const LIT: u32 = 0;
export const GLOWING: u32 = 1;
export const UNLIT: u32 = 2;

@unmanaged
export class DrawnSurface {
  red: f32;
  green: f32;
  blue: f32;
  alpha: f32;
  emissiveRed: f32;
  emissiveGreen: f32;
  emissiveBlue: f32;
  /** 0. */
  emissiveAlpha: f32;
  /** OPAQUE, MASK or BLEND. */
  alphaMode: u32;
  alphaCutoff: f32;
  /** Textures; 0: none. */
  baseColorTexture: usize;
  emissiveTexture: usize;
  /** float32, for each mip that a cut-out may use; 0: its alpha does not come from a texture. */
  alphaCuts: usize;
  cutCount: u32;
  /** LIT, GLOWING or UNLIT. */
  lighting: u32;
  /** The share of the light from behind that passes: 0 to 1. */
  transmission: f32;
}

export const SURFACE_BYTES: usize = 64;

@unmanaged
export class Texture {
  levelCount: u32;
  /** The mips, from the texture as it is down to one texel. */
  levels: usize;
}

/** One mip. */
@unmanaged
export class Mip {
  width: u32;
  height: u32;
  /** RGBA, 4 uint16 a texel, linear, rows from the top. */
  texels: usize;
}

export const MIP_BYTES: usize = 12;

/** A camera, and what is drawn behind everything. */
@unmanaged
export class Camera {
  positionX: f64;
  positionY: f64;
  positionZ: f64;
  rightX: f64;
  rightY: f64;
  rightZ: f64;
  upX: f64;
  upY: f64;
  upZ: f64;
  backX: f64;
  backY: f64;
  backZ: f64;
  /** Edges of the picture at unit distance. */
  left: f64;
  right: f64;
  bottom: f64;
  top: f64;
  /** What is nearer is cut away. */
  near: f64;
  /** Colours of the background by the direction of the look, 4 float32 each: up, horizon, down. */
  background: usize;
  /** Pixels. */
  width: u32;
  height: u32;
  /** Samples along each side of a pixel. */
  samples: u32;
}

/** A vertex as the camera sees it. */
@unmanaged
export class Vertex {
  /** 1 over the distance; 0: it cannot be projected without clipping. */
  inverse: f64;
  /** Steps from the left and the top of the picture. */
  x: i32;
  y: i32;
  /** Right, up and forward of the eye. */
  eyeX: f32;
  eyeY: f32;
  eyeZ: f32;
  unused: u32;
}

export const VERTEX_BYTES: usize = 32;

/** The memory that a picture is drawn in. */
@unmanaged
export class Canvas {
  /** A Vertex for each of the scene's. */
  vertices: usize;
  /** Of each sample of a band: float32 of 1 over the distance, the triangle, and 4 float32 of colour and coverage. Rows have `stride` samples. */
  depths: usize;
  triangles: usize;
  colors: usize;
  /** Samples from one row to the next: four more than the picture has, at least, and a multiple of four. */
  stride: u32;
  /** Rows of pixels in a band. */
  bandRows: u32;
  /** Triangles of blended surfaces, from back to front. */
  blended: usize;
  blendedCount: u32;
  /** The picture: 3 bytes and 1 byte a pixel, rows from the top. */
  rgb: usize;
  coverage: usize;
  /** 65536 sRGB bytes by linear light. */
  byteOfLinear: usize;
}

/** Two pictures of one size, and memory to compare them in. */
@unmanaged
export class Pair {
  width: u32;
  height: u32;
  /** 3 bytes a pixel. */
  firstRgb: usize;
  secondRgb: usize;
  /** A byte a pixel. */
  firstCoverage: usize;
  secondCoverage: usize;
  /** A byte a pixel. */
  judged: usize;
  /** float64: the lumas of both pictures, two a pixel; and six numbers a column. */
  lumas: usize;
  columns: usize;
  /** 6 float64: judged pixels, sums of the differences in red, green and blue, sum of the squares, mean similarity. */
  result: usize;
}
