// sharp, imported when the first image needs a decoder: most scenes only copy their textures. For probing and decoding.

import { loadLibrary } from '../../diagnostics/environment.ts';

type Sharp = typeof import('sharp').default;

let loading: Promise<Sharp> | null = null;

/** sharp without its cache, which would only take memory: every image is decoded once. Throws UC1101. */
export function loadSharp(): Promise<Sharp> {
  loading ??= loadLibrary('sharp', async () => {
    const { default: sharp } = await import('sharp');
    sharp.cache(false);
    return sharp;
  });
  return loading;
}
