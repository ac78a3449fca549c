// The names that this cooker and the engine's exporter give to payloads of a tiled scene. By them a tile that lost its
// manifest is known from a model in one file, whose name hardly ever looks like these.

/** A cell of the grid, what spans cells, a node of a floor's tree with its tier, the proxy of an HLOD cluster. */
const TILE = String.raw`tile_\d+_\d+_\d+|tile_spanning|F\d{2,}_[QK](_\d)*_(ES|SI|RC|FP)(_spanning)?`;
const GROUP = String.raw`far\d+(_\d+)+|F\d{2,}_[QK](_\d)*_far`;

/** A whole file name: the tile or cluster; if they apply, the part of a tile that was cut, the level and the hash. */
const NAME = new RegExp(String.raw`^(${TILE}|${GROUP})(_s[01]+)?(_lod\d+|_hlod)?(_[0-9a-f]{8})?\.untold$`);

/** Offset and value of the file type of a shared bucket in the header (format text, "Header"); no single file has it. */
const FILE_TYPE_OFFSET = 12;
const SHARED = 4;

/** Whether a .untold file is one of a set, by its name (without folders) and its header. */
export function isTileOfSet(name: string, bytes: Uint8Array): boolean {
  return NAME.test(name) || (bytes.length > FILE_TYPE_OFFSET && bytes[FILE_TYPE_OFFSET] === SHARED);
}
