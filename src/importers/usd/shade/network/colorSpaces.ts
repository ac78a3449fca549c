// Maps the names of colour spaces that exporters write into sourceColorSpace and colorSpace to the encodings of the
// engine: sRGB, or linear with the primaries of Rec. 709.

const SRGB = new Set([
  'srgb',
  'srgb_texture',
  'srgb_tx',
  'srgb_rec709',
  'srgb_rec709_scene',
  'srgb_rec709_display',
  'utility - srgb - texture',
  'input - generic - srgb - texture',
]);

const LINEAR = new Set([
  'raw',
  'data',
  'none',
  'identity',
  'linear',
  'lin_srgb',
  'lin_rec709',
  'lin_rec709_scene',
  'utility - raw',
  'utility - linear - srgb',
  'scene-linear rec.709-srgb',
]);

/** The encoding of texels or numbers. `isExact` false: the colour space has other primaries or another curve. */
export interface Encoding {
  readonly encoding: 'srgb' | 'linear';
  readonly isExact: boolean;
}

/** The encoding of a colour space; null for '' and `auto`, which define none. */
export function encodingOf(colorSpace: string | null): Encoding | null {
  const name = (colorSpace ?? '').trim().toLowerCase();
  if (name === '' || name === 'auto') return null;
  if (SRGB.has(name)) return { encoding: 'srgb', isExact: true };
  if (LINEAR.has(name)) return { encoding: 'linear', isExact: true };
  // The names of linear spaces with other primaries show that they are linear: lin_displayp3, lin_ap1, "ACES - ACEScg".
  const isLinear = /^lin|acescg|ap1$|linear|raw/.test(name) && !/^g\d\d_/.test(name);
  return { encoding: isLinear ? 'linear' : 'srgb', isExact: false };
}
