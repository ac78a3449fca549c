// A decoded image.

/** RGBA, 4 bytes a pixel, straight alpha, rows from the top. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  /** A floating-point value was outside of [0, 1] and was clamped; absent: none was. */
  readonly clamped?: boolean;
}
