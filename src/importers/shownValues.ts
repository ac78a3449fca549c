// Values as inspection shows them.

/**
 * A value in JSON. A vector is an array of its components, a matrix an array of its rows, and a quaternion an array
 * (real, i, j, k) as in USD text. Numbers that JSON does not have are strings: "NaN", "Infinity", "-Infinity", and the
 * digits of 64-bit integers beyond 2^53.
 */
export type ShownValue =
  | null
  | boolean
  | number
  | string
  | readonly ShownValue[]
  | { readonly [key: string]: ShownValue };

/** Arrays with more elements are abbreviated. */
export const MAX_ELEMENTS = 64;

/** The elements of an array, or its length with the first and the last of them. `wanted`: so many elements are enough. */
export function shownArray(length: number, element: (i: number) => ShownValue, wanted = MAX_ELEMENTS): ShownValue {
  if (length > MAX_ELEMENTS) return { length, first: element(0), last: element(length - 1) };
  const shown: ShownValue[] = [];
  for (let i = 0; i < length && i < wanted; i++) shown.push(element(i));
  return shown;
}
