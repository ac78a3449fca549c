// What is said of a scene that was cooked for the eyes of a zone.

import type { Camera } from '../../raster/camera.ts';
import type { Bounds, Scene, Vec3 } from '../../scene/types.ts';
import type { Portal } from '../../zone/zone.ts';

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

/** What eyes that no triangle was found from see of the source and of the result. */
export interface ZoneProof {
  readonly eyes: number;
  /** Areas of more than two pixels where the source has a surface and the result none of about its depth. */
  readonly holes: number;
  /** Pixels of the largest one. */
  readonly largestHole: number;
  /** Absent: none were drawn. */
  readonly pictures?: ZonePictures;
}

/** How a picture of the result compares with one of the source. */
export interface ZonePicture {
  /** Where the eye is, and where it looks. */
  readonly eye: Vec3;
  readonly direction: Vec3;
  /** Structural similarity of what is drawn, 1 for equal pictures. */
  readonly ssim: number;
  /** Mean distance of colours in Oklab, where black and white are 1 apart. */
  readonly color: number;
}

/** A picture of the source and one of the result from the same place, as PNG. */
export interface ZonePair extends ZonePicture {
  readonly source: Uint8Array;
  readonly result: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Pictures of source and result from the eyes of the proof. */
export interface ZonePictures {
  readonly pictures: number;
  readonly ssimMean: number;
  readonly ssimMin: number;
  readonly colorMean: number;
  /** Those that are least alike, the worst first. */
  readonly worst: readonly ZonePicture[];
}

export interface ZoneFigures {
  /** Boxes that eyes are in; around all of them where they are many. */
  readonly boxes: readonly Bounds[];
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
  /** Materials that became one with others, so that there are fewer draws; 0: the device carries them as they are. */
  readonly joined: number;
  /** Pixels from the nearest eye that surfaces were simplified up to; single points may lie up to twice as far off. */
  readonly error: number;
  readonly proof: ZoneProof;
  readonly objects: readonly ZoneObject[];
}

/** What pictures of source and result are drawn of. */
export interface Pictured {
  /** What the cameras see of the source, and what stays as it is. */
  readonly source: Scene;
  readonly result: Scene;
  /** Materials of the source that the result has joined with others. */
  readonly joined: ReadonlySet<number>;
  readonly cameras: readonly Camera[];
  /** All is seen through these; empty: in all directions. */
  readonly portals: readonly Portal[];
}

/** What later steps know of a scene that was cooked for the eyes of a zone. */
export interface SeenScene {
  readonly figures: ZoneFigures;
  /** By material, the texels along a side of its images that eyes can tell; absent: all of them. */
  readonly texels: ReadonlyMap<number, number>;
  readonly pictured: Pictured;
}

/** Triangles of a source of which these objects are left: what a zone took off is counted, too. */
export function sourceTriangles(objects: readonly { readonly triangles: number }[], zone: SeenScene | null): number {
  if (zone) return zone.figures.trianglesBefore + zone.figures.trianglesWhole;
  return objects.reduce((sum, { triangles }) => sum + triangles, 0);
}
