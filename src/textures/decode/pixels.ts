// A decoded image.

/** RGBA, 4 bytes a pixel, straight alpha, rows from the top. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}
