// `npm run docs`: writes the documents and the schemas that are generated from tables. A test compares them.

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PRESET_OPTIONS, SOURCE_OPTIONS } from '../src/config/options/table.ts';
import { exporterPage } from './exporterPage.ts';
import { codesPage, extensionsPage, optionsPage } from './pages.ts';
import { COMMAND_SCHEMAS } from './schemas/commands.ts';
import { INSPECT_SCHEMAS } from './schemas/inspect.ts';
import { configSchema, presetSchema } from './schemas/options.ts';

const root = resolve(import.meta.dirname, '..');

writeFileSync(join(root, 'docs/options.md'), optionsPage());
writeFileSync(join(root, 'docs/codes.md'), codesPage());
writeFileSync(join(root, 'docs/gltf-extensions.md'), extensionsPage());
writeFileSync(join(root, 'docs/engine-cli.md'), exporterPage());
writeFileSync(join(root, 'schemas/preset.schema.json'), presetSchema(PRESET_OPTIONS));
writeFileSync(join(root, 'schemas/config.schema.json'), configSchema(PRESET_OPTIONS, SOURCE_OPTIONS));
for (const [name, text] of Object.entries({ ...COMMAND_SCHEMAS, ...INSPECT_SCHEMAS })) {
  writeFileSync(join(root, `schemas/${name}.schema.json`), text);
}
