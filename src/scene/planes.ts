// Planes that spanning geometry is cut at, and the cells between them. Types only, so that tiling, which chooses the
// planes, and the cook, which cuts at them, may both see them.

/** Planes that spanning geometry is cut at: ascending world coordinates in metres, each one exactly a float32. */
export interface CutPlanes {
  /** Planes x = value. */
  readonly x: readonly number[];
  /** Planes z = value (engine z, ascending). */
  readonly z: readonly number[];
}

/** One cell between the planes: column i lies between x[i-1] and x[i] (0: below all), row j likewise along z. */
export interface PlaneCell {
  readonly column: number;
  readonly row: number;
}
