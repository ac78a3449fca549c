// Whether a value that came from outside has the fields that its type says. For what is read from caches.

export type Shape = (value: unknown) => boolean;

export const isText: Shape = (value) => typeof value === 'string';
export const isNumber: Shape = (value) => typeof value === 'number';
export const isCount: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const isTrueOrFalse: Shape = (value) => typeof value === 'boolean';
export const isBytes: Shape = (value) => value instanceof Uint8Array;

/** An object with at least these fields. */
export const objectOf =
  (fields: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(fields).every(([name, shape]) => shape((value as Record<string, unknown>)[name]));

export const listOf =
  (item: Shape, length?: number): Shape =>
  (value) =>
    Array.isArray(value) && (length === undefined || value.length === length) && value.every(item);

export const either =
  (...shapes: readonly Shape[]): Shape =>
  (value) =>
    shapes.some((shape) => shape(value));

/** One of these values themselves. */
export const oneOf =
  (...values: readonly unknown[]): Shape =>
  (value) =>
    values.includes(value);

export const orNull = (shape: Shape): Shape => either(oneOf(null), shape);
export const orAbsent = (shape: Shape): Shape => either(oneOf(undefined), shape);
