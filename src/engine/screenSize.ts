// How the engine chooses between the levels of a chain: by the share of the view's height that the sphere around a model covers.
// Source: LODSystem.swift, untoldFormat/UntoldMeshLODCooker.swift (public source, read in 2026).

/** The tangent of half the field of view, 60 degrees from bottom to top, at which sizes are reckoned. */
const TAN_HALF_VIEW = Math.tan(Math.PI / 6);
/** Lines of the screen at which the engine's cook reckons. */
const SCREEN_HEIGHT = 1080;
/** Pixels that a triangle of a level may cover, in the engine's cook. */
export const PIXELS_PER_TRIANGLE = 4;

/** The ratios of triangles that the engine's cook makes levels of. */
export const ENGINE_RATIOS: readonly number[] = [0.5, 0.15, 0.03];
/** Models of fewer triangles get no levels. */
export const MIN_CHAIN_TRIANGLES = 2000;
/** A level has at most this share of the triangles of the one before. */
export const MAX_OF_LEVEL_BEFORE = 0.85;

/** The size of a sphere of this radius from so far from its centre. */
export function screenSizeAt(distance: number, radius: number): number {
  return radius / (distance * TAN_HALF_VIEW);
}

/** How far from the centre a sphere has this size: switchDistance = radius x reach / screenSize. */
export function distanceOfSize(screenSize: number, radius: number): number {
  return radius / (screenSize * TAN_HALF_VIEW);
}

/** From where the engine's cook shows a level: its triangles are taken to fill the square around the sphere. */
export function engineScreenSize(triangles: number, pixelsPerTriangle = PIXELS_PER_TRIANGLE): number {
  return Math.sqrt(pixelsPerTriangle * triangles) / SCREEN_HEIGHT;
}

/** Metres that the surface of a level may lie off in the engine's cook. `diameter`: of the model's box. */
export function engineErrorLimit(diameter: number, triangles: number): number {
  return diameter / Math.sqrt(Math.max(1, triangles));
}

/** The level that is shown from so far from the centre: 0 for the model itself. `sizes`: of the levels, falling. */
export function levelAt(distance: number, radius: number, sizes: readonly number[]): number {
  const size = screenSizeAt(distance, radius);
  return sizes.filter((from) => size <= from).length;
}
