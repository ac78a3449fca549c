// Names of colour spaces, as exporters write them into sourceColorSpace and colorSpace: what an image or a colour is
// encoded in, as far as the engine knows it: sRGB, or linear with the primaries of Rec. 709.

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

/** How texels or numbers are encoded; `isExact` false: the space has other primaries or another curve. */
export interface Encoding {
  readonly encoding: 'srgb' | 'linear';
  readonly isExact: boolean;
}

/** Null for names that leave it open: '' and `auto`. */
export function encodingOf(colorSpace: string | null): Encoding | null {
  const name = (colorSpace ?? '').trim().toLowerCase();
  if (name === '' || name === 'auto') return null;
  if (SRGB.has(name)) return { encoding: 'srgb', isExact: true };
  if (LINEAR.has(name)) return { encoding: 'linear', isExact: true };
  // Linear spaces of other primaries say so in their names: lin_displayp3, lin_ap1, acescg, "ACES - ACEScg".
  const isLinear = /^lin|acescg|ap1$|linear|raw/.test(name) && !/^g\d\d_/.test(name);
  return { encoding: isLinear ? 'linear' : 'srgb', isExact: false };
}
