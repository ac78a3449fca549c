// Judges a level against full detail: both are drawn as they appear at the level's switch distance, from all sides.

import type { Bounds } from '../scene/types.ts';
import { type Camera, viewsOf } from './camera.ts';
import { meanDifference, weightedMean } from './mean.ts';
import { compare, compareBytes, type Difference } from './metrics.ts';
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

/** Pixels of the longer side of a picture that a first look draws at most. */
export const LOOK_SIDE = 320;

/** What a first look finds. */
export interface FirstLook {
  /** The mean structural similarity over all views. */
  readonly ssim: number;
  /** The view with the least structural similarity: its camera in full size, and how it differs in the size that was drawn. */
  readonly worst: JudgedView;
}

function atMostLookSide(camera: Camera): Camera {
  const scale = LOOK_SIDE / Math.max(camera.width, camera.height);
  if (scale >= 1) return camera;
  const pixels = (side: number) => Math.max(1, Math.round(side * scale));
  return { ...camera, width: pixels(camera.width), height: pixels(camera.height) };
}

/**
 * Compares two scenes as `judge` does, in pictures of LOOK_SIDE at most. It finds the worst view, which is then worth its full
 * cost; pictures that are no larger are what `judge` draws.
 */
export function firstLook(full: RasterScene, level: RasterScene, bounds: Bounds, distance: number): FirstLook {
  const cameras = viewsOf(bounds, distance);
  const small = cameras.map(atMostLookSide);
  const references = renderEach(full, small);
  const pictures = renderEach(level, small);
  const views = references.map((reference, i) => compareBytes(reference, pictures[i]));
  const worst = views.reduce((lowest, { ssim }, i) => (ssim < views[lowest].ssim ? i : lowest), 0);
  const difference = compare(references[worst], pictures[worst]);
  return { ssim: meanDifference(views).ssim, worst: { camera: cameras[worst], difference } };
}
