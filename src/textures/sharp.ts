// sharp, imported when the first image needs a decoder: most scenes only copy their textures. For probing and decoding.

type Sharp = typeof import('sharp').default;

let loading: Promise<Sharp> | null = null;

/** sharp without its cache: every image is decoded once, so kept ones would only fill memory. */
export function loadSharp(): Promise<Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    return sharp;
  });
  return loading;
}
