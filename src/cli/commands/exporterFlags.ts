// Flags of UntoldEngine's own exporter (export-untold-tiles, export-untold) and what they are here, for the hint that follows an
// unknown option.

const FLAGS: Readonly<Record<string, string>> = {
  '--input': 'give the source as a word: `untold cook SCENE --out DIR`',
  '--output': 'use --out FILE.untold',
  '--output-dir': 'use --out DIR',
  '--tile-size-x': 'use --tile-size; cells are square',
  '--tile-size-z': 'use --tile-size; cells are square',
  '--tile-size-y': 'leave it out: grid cells are as high as the scene',
  '--quadtree': 'use --partition quadtree',
  '--kdtree': 'use --partition kdtree',
  '--visible-only': 'leave it out: only visible meshes are cooked unless --all-meshes is given',
  '--generate-lod': 'use --lod auto, which is the default',
  '--generate-hlod': 'use --hlod auto, which is the default',
  '--lod-level': 'use --lod with the shares of triangles, as --lod 0.5,0.2; distances follow from measured deviations',
  '--hlod-level': 'use --hlod with the share of triangles, as --hlod 0.1; distances follow from measured deviations',
  '--compress-geometry': 'use --compress lz4, which is the default',
  '--optimize': 'leave it out: geometry is compressed and textures are cooked to .utex by default',
  '--parallel-workers': 'use --jobs N',
  '--write-manifest-in-dry-run': 'use --dry-run, with --json for a document',
  '--convert-orientation': 'leave it out: sources always become Y up, in metres',
  '--ConvertOrientation': 'leave it out: sources always become Y up, in metres',
  '--source-orientation': 'use --up-axis, if a USD source says its axis wrongly',
  '--validate': 'leave it out: every cook is read back and checked; `untold validate` checks it again',
  '--include-hidden': 'use --all-meshes',
  '--ratios': 'use --lod with the shares of triangles, as --lod 0.5,0.2',
  '--quality': 'use --texture-quality fast, medium or thorough',
};

/** What an option of the exporter is in `untold cook`; null for others. */
export function exporterHint(flag: string): string | null {
  return Object.hasOwn(FLAGS, flag) ? FLAGS[flag] : null;
}
