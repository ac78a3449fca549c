// How the engine maps the light of a picture to what a display shows. Sources, of UntoldEngine: ACESFilmicToneMapping in
// ShadersUtils.metal, which ends ColorGradingShader.metal and, in newer versions, LookShader.metal. It is the curve that
// K. Narkowicz fitted to ACES filmic, for each channel alone, and not the fit of S. Hill that other renderers use.

/** Of (x (a x + b)) / (x (c x + d) + e), clamped to 0 … 1. */
export const ACES_FILMIC = { a: 2.51, b: 0.03, c: 2.43, d: 0.59, e: 0.14 } as const;
