// Whether a value that came from outside has the fields that its type says. For what is read from caches.

export type Shape = (value: unknown) => boolean;

export const isText: Shape = (value) => typeof value === 'string';
export const isNumber: Shape = (value) => typeof value === 'number';
export const isCount: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const isTrueOrFalse: Shape = (value) => typeof value === 'boolean';
export const isBytes: Shape = (value) => value instanceof Uint8Array;

/** A shape for each field of a type. */
export type ShapesOf<T> = { readonly [K in keyof Required<T>]: Shape };

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object with at least these fields; what it inherits does not count. */
export function objectOf<T = Readonly<Record<string, unknown>>>(fields: ShapesOf<T>): Shape {
  const shapes = Object.entries<Shape>(fields);
  const at = (value: Record<string, unknown>, name: string): unknown =>
    Object.hasOwn(value, name) ? value[name] : undefined;
  return (value) => isPlain(value) && shapes.every(([name, shape]) => shape(at(value, name)));
}

/** An object whose values all have this shape. */
export const mapOf =
  (of: Shape): Shape =>
  (value) =>
    isPlain(value) && Object.values(value).every(of);

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
