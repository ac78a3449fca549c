// What the schemas of documents are built from. Objects have no properties but those that are named, so that the tests, which
// compare the schemas with real output, find every difference.

export type Schema = Readonly<Record<string, unknown>>;

/** A property that may be absent. */
interface Optional {
  readonly optional: Schema;
}

export const optional = (schema: Schema): Optional => ({ optional: schema });

export function object(properties: Readonly<Record<string, Schema | Optional>>): Schema {
  const entries = Object.entries(properties);
  const isOptional = (value: Schema | Optional): value is Optional => 'optional' in value;
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, value]) => [name, isOptional(value) ? value.optional : value])),
    required: entries.flatMap(([name, value]) => (isOptional(value) ? [] : [name])),
    additionalProperties: false,
  };
}

export const list = (items: Schema): Schema => ({ type: 'array', items });
export const numbers = (length: number): Schema => ({ ...list(number), minItems: length, maxItems: length });
export const choice = (...values: readonly (string | null)[]): Schema => ({ enum: values });
/** An object whose keys are names out of a file. */
export const record = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
export const orNull = (schema: Schema): Schema =>
  typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : { anyOf: [schema, { type: 'null' }] };
export const described = (description: string, schema: Schema): Schema => ({ description, ...schema });

export const text: Schema = { type: 'string' };
export const name: Schema = { type: 'string', minLength: 1 };
export const flag: Schema = { type: 'boolean' };
export const number: Schema = { type: 'number' };
export const positive: Schema = { type: 'number', minimum: 0 };
export const count: Schema = { type: 'integer', minimum: 0 };
export const date: Schema = { type: 'string', format: 'date-time' };
export const path = described('relative to the working folder, with /', name);
export const code: Schema = { type: 'string', pattern: '^UC\\d{4}$' };
export const severity = choice('error', 'warning', 'info');

/** Parts that documents refer to, so that each is written once in a file. */
const DEFINITIONS: Readonly<Record<string, Schema>> = {
  bounds: described('a box in engine space: right-handed, +Y up, metres', object({ min: numbers(3), max: numbers(3) })),
  diagnostic: object({
    code: described('stable; docs/codes.md and `untold explain CODE` tell what it means', code),
    severity: described('after --strict, --deny, --allow and --warn', severity),
    file: described('relative to the working folder, with /; empty if no file is concerned', text),
    path: described('the element inside the file; empty for the file as a whole', text),
    message: name,
    remedy: name,
  }),
};

const reference = (definition: string): Schema => ({ $ref: `#/$defs/${definition}` });
export const bounds = reference('bounds');
export const diagnostics = list(reference('diagnostic'));
/** The time and memory of phases. */
export const phases = described(
  'with --timing only',
  list(object({ phase: name, seconds: positive, peakBytes: count })),
);
/** The time and memory of a call. */
export const runProperties = { seconds: positive, peakBytes: described('memory of the process at its peak', count) };

export const schemaVersion = described(
  'of this kind of document: it grows when a property goes or means something else',
  { const: 1 },
);

/** A schema file. `body`: an object, or several of which one holds. */
export function file(title: string, description: string, body: Schema): string {
  const words = JSON.stringify(body);
  const used = Object.entries(DEFINITIONS).filter(([key]) => words.includes(`"#/$defs/${key}"`));
  const $defs = used.length > 0 ? { $defs: Object.fromEntries(used) } : {};
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  return `${JSON.stringify({ $schema, title, description, ...body, ...$defs }, null, 2)}\n`;
}
