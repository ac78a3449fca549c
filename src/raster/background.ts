// What is drawn behind everything, in software and by the viewer.

import type { Vec3 } from '../scene/types.ts';

/** Linear colours behind everything, by the direction of the look: between them it changes smoothly. */
export interface Background {
  readonly up: Vec3;
  readonly horizon: Vec3;
  readonly down: Vec3;
}

/** A plain middle grey, against which both dark and bright outlines are seen. */
export const GREY: Background = { up: [0.2, 0.2, 0.2], horizon: [0.2, 0.2, 0.2], down: [0.2, 0.2, 0.2] };
export const SKY: Background = { up: [0.2, 0.38, 0.72], horizon: [0.68, 0.78, 0.86], down: [0.3, 0.29, 0.27] };
/** Light and cool, like the paper behind a model in a studio: lighter towards the horizon. */
export const PAPER: Background = { up: [0.42, 0.56, 0.78], horizon: [0.8, 0.84, 0.88], down: [0.46, 0.5, 0.54] };
