// `npx tsx bench/levels.ts [--pictures] [--json FILE] MANIFEST…`: how levels look beside the full detail of their tiles, from
// the written files alone. For each scene a table of what the pictures of its levels say, with the levels that miss what
// `--lod-quality good` asks for, and one of their geometry: stored normals that lean away from their triangles, edges of
// foliage cards that outgrow full detail, and colour features that are lost. `--pictures` leaves the geometry out, `--json`
// writes the rows of every tile to a file. Nothing here is a test.

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type GeometryRow, measureGeometry } from './levels/geometry.ts';
import { measurePictures, type PictureRow } from './levels/pictures.ts';
import { geometryLines, missLines, pictureLines } from './levels/tables.ts';

interface Measured {
  readonly manifest: string;
  readonly pictures: readonly PictureRow[];
  /** Empty with --pictures. */
  readonly geometry: readonly GeometryRow[];
}

function print(lines: readonly (readonly string[])[]): void {
  const widths = (lines[0] ?? []).map((_, k) => Math.max(...lines.map((line) => (line[k] ?? '').length)));
  for (const line of lines) {
    const cells = line.map((cell, k) => cell.padEnd(widths[k]));
    process.stdout.write(`  ${cells.join('  ').trimEnd()}\n`);
  }
}

const { values, positionals: manifests } = parseArgs({
  options: { pictures: { type: 'boolean', default: false }, json: { type: 'string' } },
  allowPositionals: true,
});
if (manifests.length === 0) throw new Error('which manifests?');
const measured: Measured[] = [];
for (const manifest of manifests) {
  const pictures = await measurePictures(manifest);
  const geometry = values.pictures ? [] : await measureGeometry(manifest);
  measured.push({ manifest, pictures, geometry });
  process.stdout.write(`${manifest}\n`);
  print(pictureLines(pictures));
  print(missLines(pictures));
  if (!values.pictures) print(geometryLines(geometry));
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(measured, null, 2)}\n`);
