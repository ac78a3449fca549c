// What is said of a scene that was cooked for the eyes of a zone.

/** What became of one object of the source. */
export interface ZoneObject {
  /** Its path in the source. */
  readonly path: string;
  readonly triangles: number;
  /** Triangles that some picture shows, or that cast a shadow on those. */
  readonly seen: number;
  /** Those with their neighbours, before surfaces were simplified. */
  readonly kept: number;
}

export interface ZoneFigures {
  /** Places that were looked from, and in how many rounds. */
  readonly eyes: number;
  readonly rounds: number;
  /** Of the last round, the share of the pixels whose triangles no round before had shown. */
  readonly newShare: number;
  /** Triangles that were looked at; of these the ones that are seen, those with their neighbours, and those of the output. */
  readonly trianglesBefore: number;
  readonly trianglesSeen: number;
  readonly trianglesKept: number;
  readonly trianglesAfter: number;
  /** Triangles that are not seen, and cast shadows on what is. */
  readonly casters: number;
  /** Objects that stay as they are: they move, deform or are tagged. Nobody looks at their triangles. */
  readonly whole: number;
  readonly trianglesWhole: number;
  /** Sectors around the zone in which materials are merged. */
  readonly sectors: number;
  /** Meshes that are drawn if all of the output is in view. */
  readonly draws: number;
  /** Pixels that a surface may lie off at its nearest place. */
  readonly error: number;
  readonly objects: readonly ZoneObject[];
}

/** What later steps know of a scene that was cooked for the eyes of a zone. */
export interface SeenScene {
  readonly figures: ZoneFigures;
  /** By material, the texels along a side of its images that eyes can tell; absent: all of them. */
  readonly texels: ReadonlyMap<number, number>;
}

/** Triangles of a source of which these objects are left: what a zone took off is counted, too. */
export function sourceTriangles(objects: readonly { readonly triangles: number }[], zone: SeenScene | null): number {
  if (zone) return zone.figures.trianglesBefore + zone.figures.trianglesWhole;
  return objects.reduce((sum, { triangles }) => sum + triangles, 0);
}
