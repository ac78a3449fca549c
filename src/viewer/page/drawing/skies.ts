// The surroundings that the page offers: what surfaces mirror, and what is behind them. All depend on the height of the look
// alone, so that their light is integrated at once (skyLight.ts).

import { type Background, SKY } from '../../../raster/background.ts';

interface Surroundings {
  readonly title: string;
  /** Linear radiance that surfaces mirror. */
  readonly mirrored: Background;
  readonly behind: Background;
}

const even = (value: number): Background => {
  const color = [value, value, value] as const;
  return { up: color, horizon: color, down: color };
};
const both = (sky: Background) => ({ mirrored: sky, behind: sky });

/** In the order of the menu; the page begins with the first. */
export const SKIES = {
  // Hardly coloured, and brighter than the ground below, so that materials show their own colours.
  neutral: {
    title: 'Neutral sky',
    mirrored: { up: [0.72, 0.8, 0.92], horizon: [0.94, 0.95, 0.96], down: [0.34, 0.33, 0.31] },
    behind: SKY,
  },
  overcast: {
    title: 'Overcast',
    ...both({ up: [0.9, 0.92, 0.95], horizon: [0.6, 0.62, 0.65], down: [0.18, 0.18, 0.17] }),
  },
  dusk: {
    title: 'Dusk',
    ...both({ up: [0.1, 0.15, 0.34], horizon: [1.0, 0.48, 0.22], down: [0.09, 0.07, 0.06] }),
  },
  studio: {
    title: 'Studio, light from above',
    ...both({ up: [1.6, 1.6, 1.6], horizon: [0.32, 0.32, 0.32], down: [0.06, 0.06, 0.06] }),
  },
  even: { title: 'Even grey', ...both(even(0.5)) },
  none: { title: 'None, black', ...both(even(0)) },
} as const satisfies Readonly<Record<string, Surroundings>>;

export type SkyName = keyof typeof SKIES;

/** The surroundings of a picture that was given to the page. */
export const PICTURE = 'picture';
