// Judges a level against full detail: both are drawn as they appear at the level's switch distance, from all sides.

import type { Bounds } from '../scene/types.ts';
import { type Camera, viewsOf } from './camera.ts';
import { meanDifference, weightedMean } from './mean.ts';
import { compare, type Difference } from './metrics.ts';
import { DEFAULT_RENDER, type Picture, type RenderOptions, render } from './render.ts';
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
  const views = references.map(({ camera, picture }) => ({
    camera,
    difference: compare(picture, render(level, camera, options)),
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
  const references = viewsOf(bounds, distance).map((camera) => ({ camera, picture: render(full, camera, options) }));
  return judgeViews(references, level, options);
}
