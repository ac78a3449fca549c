// Shapes of JSON values: each tells the TypeScript type, the JSON Schema and the first fault of a value. A document that
// comes from elsewhere is checked against its shape before anything in it is believed.

export interface Shape<T> {
  readonly schema: Readonly<Record<string, unknown>>;
  /** What is wrong with the value, in words that begin with the place; null: nothing. */
  readonly fault: (value: unknown, place: string) => string | null;
  /** Only for TypeScript. */
  readonly type?: T;
}

/** The type of the values of a shape. */
export type Of<S> = S extends Shape<infer T> ? T : never;

const at = (place: string): string => (place === '' ? 'the document' : place);

function simple<T>(schema: Shape<T>['schema'], what: string, isSound: (value: unknown) => boolean): Shape<T> {
  return { schema, fault: (value, place) => (isSound(value) ? null : `${at(place)} is not ${what}`) };
}

export const number = simple<number>({ type: 'number' }, 'a finite number', Number.isFinite);
export const count = simple<number>(
  { type: 'integer', minimum: 0 },
  'a whole number from 0 on',
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
);
export const flag = simple<boolean>({ type: 'boolean' }, 'true or false', (value) => typeof value === 'boolean');
export const text = simple<string>({ type: 'string' }, 'a text', (value) => typeof value === 'string');

/** A text of a pattern. */
export function pattern(source: string, what: string): Shape<string> {
  const expression = new RegExp(source, 'u');
  return simple(
    { type: 'string', pattern: source },
    what,
    (value) => typeof value === 'string' && expression.test(value),
  );
}

export const sha256 = pattern('^[0-9a-f]{64}$', 'a SHA-256');

export function choice<const T extends string | number>(...values: readonly T[]): Shape<T> {
  return simple({ enum: values }, `one of ${values.join(', ')}`, (value) => values.includes(value as T));
}

export function orNull<T>({ schema, fault }: Shape<T>): Shape<T | null> {
  return {
    schema: { anyOf: [schema, { type: 'null' }] },
    fault: (value, place) => (value === null ? null : fault(value, place)),
  };
}

/** One of several shapes; `key`: the property whose text tells them apart. */
export function oneOf<S extends Shape<unknown>>(key: string, shapes: Readonly<Record<string, S>>): Shape<Of<S>> {
  return {
    schema: { anyOf: Object.values(shapes).map(({ schema }) => schema) },
    fault: (value, place) => {
      const kind = (value as Record<string, unknown> | null)?.[key];
      if (typeof kind !== 'string' || !Object.hasOwn(shapes, kind)) return `${at(place)} is of an unknown ${key}`;
      return shapes[kind].fault(value, place);
    },
  };
}

export function list<T>({ schema, fault }: Shape<T>, length?: number): Shape<readonly T[]> {
  const limits = length === undefined ? {} : { minItems: length, maxItems: length };
  return {
    schema: { type: 'array', items: schema, ...limits },
    fault: (value, place) => {
      if (!Array.isArray(value)) return `${at(place)} is not a list`;
      if (length !== undefined && value.length !== length) return `${at(place)} has not ${length} items`;
      for (const [i, item] of value.entries()) {
        const found = fault(item, `${place}[${i}]`);
        if (found !== null) return found;
      }
      return null;
    },
  };
}

type Properties = Readonly<Record<string, Shape<unknown>>>;
type ObjectOf<P extends Properties> = { readonly [K in keyof P]: Of<P[K]> };

/** An object with these properties and no others; those of `optional` may be absent. */
export function object<P extends Properties, O extends Properties = Record<never, never>>(
  properties: P,
  optional?: O,
): Shape<ObjectOf<P> & { readonly [K in keyof O]?: Of<O[K]> | undefined }> {
  const all = new Map<string, Shape<unknown>>([...Object.entries(properties), ...Object.entries(optional ?? {})]);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries([...all].map(([name, { schema }]) => [name, schema])),
      required: Object.keys(properties),
      additionalProperties: false,
    },
    fault: (value, place) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${at(place)} is not an object`;
      for (const name of Object.keys(properties)) {
        if (!Object.hasOwn(value, name)) return `${at(place)} has no ${name}`;
      }
      for (const [name, item] of Object.entries(value)) {
        const shape = all.get(name);
        const where = place === '' ? name : `${place}.${name}`;
        const found = shape ? shape.fault(item, where) : `${where} is unknown`;
        if (found !== null) return found;
      }
      return null;
    },
  };
}
