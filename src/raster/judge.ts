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

/** Pixels of the longer side of the pictures that a look draws: of many views, and of the worst of them. */
export const LOOK_SIDE = { many: 128, few: 320 } as const;

/**
 * The views of viewsOf that a look draws: two opposite ones, or the eight around. From higher up levels look more like full
 * detail: of 36 tiles of three sets whose levels differ most, none was worst there.
 */
const LOOK_VIEWS = { sides: [1, 5], around: [0, 1, 2, 3, 4, 5, 6, 7] } as const;
/** Of the views around, so many are drawn in larger pictures: those that look worst in small ones. */
const LARGER = 2;

export type LookKind = keyof typeof LOOK_VIEWS;

/** What a look finds. */
export interface Look {
  /** The mean structural similarity over the views, in the smallest pictures. */
  readonly ssim: number;
  /** The view with the least structural similarity: its camera in full size, and how it differs in the size that was drawn. */
  readonly worst: JudgedView;
}

function atMost(camera: Camera, side: number): Camera {
  const scale = side / Math.max(camera.width, camera.height);
  if (scale >= 1) return camera;
  const pixels = (length: number) => Math.max(1, Math.round(length * scale));
  return { ...camera, width: pixels(camera.width), height: pixels(camera.height) };
}

/** How alike two scenes are to each of some cameras, in pictures of so many pixels at most. */
function seenBy(full: RasterScene, level: RasterScene, cameras: readonly Camera[], side: number) {
  const small = cameras.map((camera) => atMost(camera, side));
  const references = renderEach(full, small);
  const pictures = renderEach(level, small);
  return cameras.map((camera, i) => ({
    camera,
    reference: references[i],
    picture: pictures[i],
    bytes: compareBytes(references[i], pictures[i]),
  }));
}

/**
 * Compares two scenes in small pictures, for a fraction of what `judge` takes. With `sides` in two views, which tells levels that
 * differ much from those that differ little; with `around` it finds the worst of eight views.
 */
export function look(full: RasterScene, level: RasterScene, bounds: Bounds, distance: number, kind: LookKind): Look {
  const all = viewsOf(bounds, distance);
  const views = seenBy(
    full,
    level,
    LOOK_VIEWS[kind].map((i) => all[i]),
    LOOK_SIDE.many,
  );
  const { ssim } = meanDifference(views.map(({ bytes }) => bytes));
  const worstFirst = (list: typeof views) => [...list].sort((a, b) => a.bytes.ssim - b.bytes.ssim);
  let [worst] = worstFirst(views);
  if (kind === 'around') {
    const larger = worstFirst(views).slice(0, LARGER);
    [worst] = worstFirst(
      seenBy(
        full,
        level,
        larger.map(({ camera }) => camera),
        LOOK_SIDE.few,
      ),
    );
  }
  return { ssim, worst: { camera: worst.camera, difference: compare(worst.reference, worst.picture) } };
}
