// schemas/preset.schema.json, from the table of options: what editors check a preset against.

import type { OptionKind, OptionTable, OptionValue } from '../src/config/options/option.ts';
import { writtenValue } from '../src/config/options/values.ts';

function typeOf(kind: OptionKind): Readonly<Record<string, unknown>> {
  switch (kind.type) {
    case 'flag':
      return { type: 'boolean' };
    case 'choice':
      return { enum: kind.choices };
    case 'number':
      return { type: kind.integer ? 'integer' : 'number', minimum: kind.minimum, maximum: kind.maximum };
    case 'list':
      if (kind.choices) return { type: 'array', items: { enum: kind.choices }, minItems: 1 };
      if (kind.items) return { type: 'array', items: { type: 'string', pattern: kind.items.pattern.source } };
      return { type: 'array', items: { type: 'string', minLength: 1 } };
    default:
      return { type: 'string', minLength: 1 };
  }
}

function withDefault(kind: OptionKind, value: OptionValue | undefined): Readonly<Record<string, unknown>> {
  return value === undefined ? {} : { default: writtenValue(kind, value) };
}

export function presetSchema(table: OptionTable): string {
  const options = table.map(({ name, kind, description, default: value }) => [
    name,
    { description, ...typeOf(kind), ...withDefault(kind, value) },
  ]);
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Preset of untold cook',
    description: 'Options of `untold cook` by their long names. Paths are relative to the folder of the preset.',
    type: 'object',
    properties: {
      $schema: { description: 'where this schema is, for editors', type: 'string' },
      description: { description: 'what the preset is for', type: 'string' },
      ...Object.fromEntries(options),
    },
    additionalProperties: false,
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
