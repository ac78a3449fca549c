// Judges a level against full detail: both are drawn as they appear at the level's switch distance, from all sides.

import type { Bounds } from '../scene/types.ts';
import { type Camera, viewsOf } from './camera.ts';
import { meanDifference, weightedMean } from './mean.ts';
import { type ByteDifference, compare, compareBytes, type Difference } from './metrics.ts';
import { DEFAULT_RENDER, type Picture, type RenderOptions, renderEach } from './render.ts';
import type { RasterScene } from './scene.ts';

export interface Judgement {
  /** Over all views: the measures' means (meanDifference); of meanColor the largest. */
  readonly mean: Difference;
  /** The view with the least structural similarity, the first of equals. */
  readonly worst: JudgedView;
  readonly views: readonly JudgedView[];
}

export interface JudgedView {
  readonly camera: Camera;
  readonly difference: Difference;
}

/** Full detail as one camera sees it. */
export interface ReferenceView {
  readonly camera: Camera;
  readonly picture: Picture;
}

function meanOf(differences: readonly Difference[]): Difference {
  return {
    ...meanDifference(differences),
    deltaE: weightedMean(differences, ({ deltaE }) => deltaE) ?? 0,
    silhouette: weightedMean(differences, ({ silhouette }) => silhouette) ?? 0,
    meanColor: Math.max(...differences.map(({ meanColor }) => meanColor)),
  };
}

/** Compares a level with pictures of full detail, at least one. */
export function judgeViews(
  references: readonly ReferenceView[],
  level: RasterScene,
  options: RenderOptions = DEFAULT_RENDER,
): Judgement {
  const cameras = references.map(({ camera }) => camera);
  const views = renderEach(level, cameras, options).map((picture, i) => ({
    camera: cameras[i],
    difference: compare(references[i].picture, picture),
  }));
  let worst = views[0];
  for (const view of views) if (view.difference.ssim < worst.difference.ssim) worst = view;
  return { mean: meanOf(views.map(({ difference }) => difference)), worst, views };
}

/** Compares two scenes of one tile with these bounds, from `distance` metres to the bounds (viewsOf). */
export function judge(
  full: RasterScene,
  level: RasterScene,
  bounds: Bounds,
  distance: number,
  options: RenderOptions = DEFAULT_RENDER,
): Judgement {
  const cameras = viewsOf(bounds, distance);
  const references = renderEach(full, cameras, options).map((picture, i) => ({ camera: cameras[i], picture }));
  return judgeViews(references, level, options);
}

/** Pixels of the longer side of the pictures that a look draws: of many views, and of the worst of them. */
export const LOOK_SIDE = { many: 128, few: 320 } as const;

/**
 * The views of viewsOf that a look draws: two opposite ones, or the eight around. Of the 63 levels of the worst ten tiles of
 * three sets, none looked worst from higher up.
 */
const LOOK_VIEWS = { sides: [1, 5], around: [0, 1, 2, 3, 4, 5, 6, 7] } as const;
/** So many views are drawn in larger pictures: those that look worst in small ones. */
const LARGER = 2;

export type LookKind = keyof typeof LOOK_VIEWS;

/** A view of a look. */
interface LookView {
  /** Its place in viewsOf. */
  readonly view: number;
  readonly difference: ByteDifference;
  readonly full: Picture;
  readonly level: Picture;
}

/** What a look finds: the views, the one with the least structural similarity first. */
export type Look = readonly LookView[];

function atMost(camera: Camera, side: number): Camera {
  const scale = side / Math.max(camera.width, camera.height);
  if (scale >= 1) return camera;
  const pixels = (length: number) => Math.max(1, Math.round(length * scale));
  return { ...camera, width: pixels(camera.width), height: pixels(camera.height) };
}

/** Compares levels of a tile with full detail in some views from a distance, in pictures of so many pixels at most. */
function lookFrom(
  full: RasterScene,
  levels: readonly RasterScene[],
  cameras: readonly Camera[],
  views: readonly number[],
  side: number,
): Look[] {
  const small = views.map((view) => atMost(cameras[view], side));
  const references = renderEach(full, small);
  return levels.map((level) => {
    const seen = renderEach(level, small).map((picture, i) => ({
      view: views[i],
      difference: compareBytes(references[i], picture),
      full: references[i],
      level: picture,
    }));
    return seen.sort((a, b) => a.difference.ssim - b.difference.ssim);
  });
}

/**
 * Compares levels of a tile in small pictures from one distance, for a fraction of what `judge` takes: in two views, which tells
 * levels that differ much from those that differ little, or in eight, of which one is the worst.
 */
export function look(
  full: RasterScene,
  levels: readonly RasterScene[],
  bounds: Bounds,
  distance: number,
  kind: LookKind,
): Look[] {
  return lookFrom(full, levels, viewsOf(bounds, distance), LOOK_VIEWS[kind], LOOK_SIDE.many);
}

/** Compares a level in the worst views of a look again, in larger pictures. */
export function lookCloser(
  full: RasterScene,
  level: RasterScene,
  bounds: Bounds,
  distance: number,
  before: Look,
): Look {
  const views = before.slice(0, LARGER).map(({ view }) => view);
  return lookFrom(full, [level], viewsOf(bounds, distance), views, LOOK_SIDE.few)[0];
}
