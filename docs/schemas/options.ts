// schemas/preset.schema.json, from the table of options: what editors check a preset against.

import type { OptionKind, OptionTable, OptionValue } from '../../src/config/options/option.ts';
import { writtenValue } from '../../src/config/options/values.ts';
import { DEVICE_KEYS, DEVICE_NAME } from '../../src/config/projectDevices.ts';
import { type BUILD_KEYS, TARGET_NAME } from '../../src/config/projectFile.ts';

function typeOf(kind: OptionKind): Readonly<Record<string, unknown>> {
  switch (kind.type) {
    case 'flag':
      return { type: 'boolean' };
    case 'choice':
      return { enum: kind.choices };
    case 'number':
      return { type: kind.integer ? 'integer' : 'number', minimum: kind.minimum, maximum: kind.maximum };
    case 'numbers': {
      const number = '[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?';
      return { type: 'string', pattern: `^\\s*${Array(kind.count).fill(number).join('\\s*,\\s*')}\\s*$` };
    }
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

function properties(table: OptionTable): Readonly<Record<string, unknown>> {
  const options = table.map(({ name, kind, description, default: value }) => [
    name,
    { description, ...typeOf(kind), ...withDefault(kind, value) },
  ]);
  return Object.fromEntries(options);
}

const OWN = {
  $schema: { description: 'where this schema is, for editors', type: 'string' },
  description: { description: 'what the file is for', type: 'string' },
};

function schema(title: string, description: string, own: Readonly<Record<string, unknown>>): string {
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  const whole = { $schema, title, description, type: 'object', properties: own, additionalProperties: false };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

export function presetSchema(table: OptionTable): string {
  const description = 'Options of `untold cook` by their long names. Paths are relative to the folder of the preset.';
  return schema('Preset of untold cook', description, { ...OWN, ...properties(table) });
}

/** A number of a device may be null. */
const deviceValue = ({ description, kind }: OptionTable[number]) =>
  kind.type === 'text'
    ? { description, ...typeOf(kind) }
    : { description, anyOf: [typeOf(kind.type === 'bytes' ? { type: 'text' } : kind), { type: 'null' }] };

const DEVICES_SCHEMA = {
  description:
    'devices by their names, as --device takes them: numbers of known ones that are replaced, and devices of its own',
  type: 'object',
  propertyNames: { pattern: DEVICE_NAME.source },
  additionalProperties: {
    type: 'object',
    properties: Object.fromEntries(DEVICE_KEYS.map((key) => [key.name, deviceValue(key)])),
    additionalProperties: false,
  },
};

/** `ofSources`: the options that an entry of "files" may hold. */
export function configSchema(table: OptionTable, ofSources: OptionTable): string {
  const description =
    'untold.config.json: options of `untold cook` by their long names. Paths and patterns are relative to the folder of the file.';
  const pattern = { type: 'string', minLength: 1 };
  const patterns = { anyOf: [pattern, { type: 'array', items: pattern, minItems: 1 }] };
  const entry = {
    type: 'object',
    properties: {
      match: { description: 'patterns as lines of .untoldignore: of sources or of folders above them', ...patterns },
      ...properties(ofSources),
    },
    required: ['match'],
    additionalProperties: false,
  };
  const build = {
    description: OWN.description,
    sources: {
      description: 'files, folders and patterns that a build cooks, as the command line takes them',
      ...patterns,
    },
    pipeline: { description: 'the name or the path of a preset; the options beside it are stronger', ...pattern },
    ...properties(table),
    files: { description: 'options of some sources; the last that matches counts', type: 'array', items: entry },
  } satisfies Record<(typeof BUILD_KEYS)[number], unknown>;
  const targets = {
    description: 'builds by their names, as untold cook NAME takes them; what they do not say, the file says',
    type: 'object',
    propertyNames: { pattern: TARGET_NAME.source },
    additionalProperties: { type: 'object', properties: build, additionalProperties: false },
  };
  return schema('Project file of untold', description, {
    $schema: OWN.$schema,
    ...build,
    targets,
    devices: DEVICES_SCHEMA,
  });
}
