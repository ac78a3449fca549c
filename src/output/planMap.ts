// The map of a plan as SVG, for people: how a scene was cut, seen from above, one panel a floor. Tiles with their ids,
// the objects each one owns, the loading and unloading distance of a typical tile of each kind, legend, scale and axes.
// Plain text, the same for the same plan.

import { formatBytes } from '../bytes/units.ts';
import type { EmittedCluster, SetTile } from '../formats/manifest/write.ts';
import { center } from '../scene/bounds.ts';
import type { Bounds } from '../scene/types.ts';
import { type Budgets, brokenBudgets } from '../tiling/partition/budgets.ts';
import type { Radii } from '../tiling/streaming/radii.ts';
import { type PlanSummary, SEMANTIC_TIERS, type TileSummary } from '../tiling/types.ts';
import { arcLabel, escapeXml, LABEL_STYLE, Labels, number, tileLabel, toX, toY, type View } from './planLabels.ts';

export interface PlanMapInput {
  readonly sceneName: string;
  readonly plan: PlanSummary;
  readonly tiles: readonly SetTile[];
  readonly shared: SetTile | null;
  /** Absent: none. */
  readonly clusters?: readonly EmittedCluster[];
  readonly radii: ReadonlyMap<SetTile, Radii>;
  readonly budgets: Budgets;
  /** Files of the set and their bytes, this map aside. */
  readonly files: { readonly count: number; readonly bytes: number };
  /** The tiles of each panel from above; absent or null: objects are shown as boxes alone. */
  readonly pictures?: MapPictures | null;
}

/** A picture from the least X and Z of the plan's bounds on: a data URI, and the metres that it covers. */
export interface MapPicture {
  readonly href: string;
  readonly across: number;
  readonly down: number;
}

/** By panel (panelFloors). */
export type MapPictures = ReadonlyMap<number | null, MapPicture>;

/** Pixels. */
const PANEL = 760;
const GAP = 24;
const HEAD = 84;
const LINE = 26;
/** The map is at least as wide as the lines below it. */
const MIN_WIDTH = 640;
/** Boxes of smaller objects are left out beyond this number. */
const MAX_BOXES = 20_000;
/** Beyond these, panels and labels no longer help. */
const MAX_PANELS = 12;
const MAX_ROUNDS = 4;
/** Font sizes: the map is read where it is half as wide, too. */
const FONT = 18;
const FACTS = 15;
/** Width of a character of the facts, as a share of the font size. */
const CHARACTER = 0.52;
/** Shares of white in the fill of a tile, and of one that covers a larger share of a panel than BROAD or is of no cell. */
const PALE = { tile: 0.82, broad: 0.94, ground: 0.7, object: 0.45 } as const;
/** An object that covers a larger share of its tile is drawn below those of other tiles, as a ground. */
const GROUND = 0.3;
const BROAD = 0.25;
/** How opaque pictures are. */
const PICTURE = 0.55;

const TIER_COLORS: Readonly<Record<string, string>> = {
  ExteriorShell: '#3b6fb6',
  StructuralInterior: '#8a5fbf',
  RoomContents: '#2f8f5b',
  FineProps: '#c77a1f',
};
const SHARED_COLOR = '#777777';
const CLUSTER_OUTLINE = 'fill="none" stroke="#222" stroke-opacity="0.6" stroke-width="2.5" stroke-dasharray="14 5"';
/** Neighbours in a grid differ; six hues, picked by cell. */
const CELL_COLORS = ['#3b6fb6', '#2f8f5b', '#c77a1f', '#8a5fbf', '#b5485d', '#1f8f9c'];

const metres = (value: number): string => `${number(value)} m`;

/** Tiles of one kind: they are drawn and listed in the same way. */
interface Kind {
  readonly name: string;
  readonly color: string;
  readonly tiles: SetTile[];
}

function kindName({ planned }: SetTile): string {
  if (planned.range.kind === 'shared') return planned.id === 'shared' ? 'shared bucket' : 'spanning';
  if (planned.range.kind === 'always') return 'always loaded';
  return planned.tree?.tier ?? 'cells';
}

function kindsOf(payloads: readonly SetTile[]): Kind[] {
  const kinds = new Map<string, Kind>();
  for (const name of ['cells', ...SEMANTIC_TIERS, 'spanning', 'shared bucket', 'always loaded']) {
    kinds.set(name, {
      name,
      color: TIER_COLORS[name] ?? (name === 'cells' ? CELL_COLORS[0] : SHARED_COLOR),
      tiles: [],
    });
  }
  for (const tile of payloads) kinds.get(kindName(tile))?.tiles.push(tile);
  return [...kinds.values()].filter(({ tiles }) => tiles.length > 0);
}

const isOfNoCell = ({ planned: { range } }: Pick<SetTile, 'planned'>): boolean =>
  range.kind === 'shared' || range.kind === 'always';

function colorOf(tile: SetTile): string {
  const { tree, cell } = tile.planned;
  if (isOfNoCell(tile)) return SHARED_COLOR;
  if (tree) return TIER_COLORS[tree.tier];
  return cell ? CELL_COLORS[(cell[0] + 2 * cell[2]) % CELL_COLORS.length] : SHARED_COLOR;
}

/** A colour with so much white in it. Fills are opaque: where tiles lie over each other their colours do not mix. */
const pale = (color: string, white: number): string =>
  `#${[1, 3, 5]
    .map((at) =>
      Math.round(Number.parseInt(color.slice(at, at + 2), 16) * (1 - white) + 255 * white)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

function rectangle(view: View, { min, max }: Bounds, grow = 0): string {
  const x = number(toX(view, min[0] - grow));
  const y = number(toY(view, min[2] - grow));
  const width = number((max[0] - min[0] + 2 * grow) * view.scale);
  const height = number((max[2] - min[2] + 2 * grow) * view.scale);
  return `x="${x}" y="${y}" width="${width}" height="${height}"`;
}

const areaOf = ({ min, max }: Bounds): number => (max[0] - min[0]) * (max[2] - min[2]);

/** One path for all boxes. */
function boxes(view: View, list: readonly Bounds[]): string {
  return list
    .map(({ min, max }) => {
      const width = Math.max(0.5, (max[0] - min[0]) * view.scale);
      const height = Math.max(0.5, (max[2] - min[2]) * view.scale);
      const [x, y] = [toX(view, min[0]), toY(view, min[2])];
      return `M${number(x)} ${number(y)}h${number(width)}v${number(height)}h${number(-width)}z`;
    })
    .join('');
}

const counted = (count: number, noun: string): string => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`);

/** "3 objects, 1 piece": what is whole, and of what was cut. */
function contents(objects: TileSummary['objects']): string {
  const pieces = objects.filter(({ piece }) => piece).length;
  const whole = objects.length - pieces;
  const parts = [...(whole > 0 ? [counted(whole, 'object')] : []), ...(pieces > 0 ? [counted(pieces, 'piece')] : [])];
  return parts.join(', ');
}

function tooltip(tile: SetTile, { streaming, unload }: Radii): string {
  const { planned } = tile;
  const words = [
    planned.id,
    ...(planned.tree ? [`floor ${planned.tree.floor}, ${planned.tree.tier}`] : []),
    `${contents(planned.objects)}, ${planned.estimate.triangles} triangles, ${tile.meshes} meshes`,
    formatBytes(tile.bytes),
    `loaded within ${metres(streaming)}, kept within ${metres(unload)}, priority ${planned.priority}`,
  ];
  return `<title>${words.map(escapeXml).join('\n')}</title>`;
}

/** The tile that is loaded last: of the smallest distance, and of those the one whose middle is nearest to the scene's. */
function loadedLast(tiles: readonly SetTile[], { plan, radii }: PlanMapInput): SetTile {
  const [x, , z] = center(plan.bounds);
  const order = (tile: SetTile) => {
    const [cx, , cz] = center(tile.bounds);
    return [(radii.get(tile) as Radii).streaming, (cx - x) ** 2 + (cz - z) ** 2];
  };
  return tiles.reduce((best, tile) => {
    const [a, b] = [order(tile), order(best)];
    return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]) ? tile : best;
  });
}

/** 1, 2 or 5 times a power of ten: about a fifth of the panel. */
function scaleLength(view: View): number {
  const wanted = view.width / view.scale / 5;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [5, 2, 1].map((step) => step * power).find((length) => length <= wanted) ?? power;
}

function scaleAndAxes(view: View): string[] {
  const length = scaleLength(view);
  const [x, y] = [view.left + 14, view.top + view.height - 14];
  const end = x + length * view.scale;
  const ax = view.left + view.width - 62;
  const ay = view.top + view.height - 52;
  return [
    `<path d="M${number(x)} ${number(y - 5)}v5H${number(end)}v-5" fill="none" stroke="#222" stroke-width="1.5"/>`,
    `<text x="${number(x + 4)}" y="${number(y - 6)}">${metres(length)}</text>`,
    `<path d="M${number(ax)} ${number(ay)}h28m-5 -4l5 4l-5 4M${number(ax)} ${number(ay)}v28m-4 -5l4 5l4 -5" fill="none" stroke="#222" stroke-width="1.5"/>`,
    `<text x="${number(ax + 32)}" y="${number(ay + 4)}">+X</text>`,
    `<text x="${number(ax - 8)}" y="${number(ay + 42)}">+Z</text>`,
  ];
}

/** Outlines of all clusters, or of those with members on a floor. */
function clusterOutlines(view: View, clusters: readonly EmittedCluster[], floor: number | null): string[] {
  return clusters.flatMap(({ planned: { id, members }, bounds, distances }) => {
    if (floor !== null && !members.some(({ tree }) => tree?.floor === floor)) return [];
    const title = `${id}\none HLOD for these tiles from ${metres(distances.hlod)} on`;
    return [
      `<rect ${rectangle(view, bounds)} ${CLUSTER_OUTLINE}><title>${title.split('\n').map(escapeXml).join('\n')}</title></rect>`,
    ];
  });
}

/** The floors that get a panel; null: one panel has all. */
export function panelFloors(tiles: readonly SetTile[]): readonly (number | null)[] {
  const floors = [...new Set(tiles.map(floorOf))].sort((a, b) => a - b);
  return floors.length <= 1 || floors.length > MAX_PANELS ? [null] : floors;
}

/** The panel of a tile, of those that panelFloors gives. */
export const panelOf = (tile: SetTile, floors: readonly (number | null)[]): number | null =>
  floors[0] === null ? null : floorOf(tile);

const floorOf = ({ planned }: SetTile): number => planned.tree?.floor ?? 1;

/** Half transparent over the opaque tiles: their colours do not mix where they lie over each other. */
function pictureOf(view: View, { min }: Bounds, { href, across, down }: MapPicture): string {
  const place = `x="${number(toX(view, min[0]))}" y="${number(toY(view, min[2]))}"`;
  const size = `width="${number(across * view.scale)}" height="${number(down * view.scale)}"`;
  return `<image ${place} ${size} opacity="${PICTURE}" pointer-events="none" preserveAspectRatio="none" href="${href}"/>`;
}

interface Panel {
  readonly view: View;
  readonly title: string;
  /** Null: all are in it. */
  readonly floor: number | null;
  readonly boxed: ReadonlySet<Bounds>;
}

function panel({ view, title, floor, boxed }: Panel, payloads: readonly SetTile[], input: PlanMapInput) {
  const clip = `clip-${number(view.left)}-${number(view.top)}`;
  const frame = `x="${number(view.left)}" y="${number(view.top)}" width="${number(view.width)}" height="${number(view.height)}"`;
  const lines = [
    `<clipPath id="${clip}"><rect ${frame}/></clipPath>`,
    `<rect ${frame} fill="#fafafa" stroke="#bbb"/>`,
    ...(title === '' ? [] : [`<text x="${number(view.left)}" y="${number(view.top - 6)}">${escapeXml(title)}</text>`]),
    `<g clip-path="url(#${clip})">`,
  ];
  // Widest first, so that small tiles lie on top.
  const area = ({ bounds }: SetTile) => areaOf(bounds);
  const sceneArea = (view.width * view.height) / view.scale ** 2;
  const objects: string[] = [];
  const picture = input.pictures?.get(floor);
  const ordered = [...payloads].sort(
    (a, b) => area(b) - area(a) || (a.planned.id < b.planned.id ? -1 : a.planned.id > b.planned.id ? 1 : 0),
  );
  for (const tile of ordered) {
    const color = colorOf(tile);
    const wide = isOfNoCell(tile);
    const broad = area(tile) > BROAD * sceneArea;
    const over = brokenBudgets(tile, input.budgets).length > 0;
    const fill = pale(color, wide || broad ? PALE.broad : PALE.tile);
    const style = `fill="${fill}" stroke="${over ? '#c00000' : color}" stroke-width="${over ? 3 : 1.5}"`;
    const own = tile.planned.objects.map(({ bounds }) => bounds).filter((bounds) => boxed.has(bounds));
    const isGround = (bounds: Bounds) => areaOf(bounds) > GROUND * areaOf(tile.bounds);
    const paint = (white: number) => pale(color, wide || broad ? PALE.broad : white);
    const drawn = (list: readonly Bounds[], fill: string) =>
      `<path d="${boxes(view, list)}" fill="${fill}" stroke="${color}" stroke-width="0.6"/>`;
    const grounds = own.filter(isGround);
    const others = own.filter((bounds) => !isGround(bounds));
    lines.push(
      `<rect ${rectangle(view, tile.bounds)} ${style}${wide ? ' stroke-dasharray="8 4"' : ''}>${tooltip(tile, input.radii.get(tile) as Radii)}</rect>`,
    );
    if (grounds.length > 0) lines.push(`<g pointer-events="none">${drawn(grounds, paint(PALE.ground))}</g>`);
    if (others.length > 0) objects.push(drawn(others, picture ? 'none' : paint(PALE.object)));
  }
  if (picture) lines.push(pictureOf(view, input.plan.bounds, picture));
  // Above all tiles: one that lies over another hides none of its objects.
  lines.push('<g pointer-events="none">', ...objects, '</g>');
  lines.push(...clusterOutlines(view, input.clusters ?? [], floor));
  const labels = new Labels(view);
  const arcs: string[] = [];
  for (const { tiles, color } of kindsOf(payloads)) {
    const tile = loadedLast(tiles, input);
    const { streaming, unload } = input.radii.get(tile) as Radii;
    const corner = (radius: number) => `rx="${number(radius * view.scale)}"`;
    lines.push(
      `<rect ${rectangle(view, tile.bounds, streaming)} ${corner(streaming)} fill="none" stroke="${color}" stroke-width="1.2"/>`,
      `<rect ${rectangle(view, tile.bounds, unload)} ${corner(unload)} fill="none" stroke="${color}" stroke-width="1" stroke-dasharray="3 4"/>`,
    );
    arcs.push(
      ...arcLabel(labels, view, tile, streaming, `${tile.planned.id} loads`, color),
      ...arcLabel(labels, view, tile, unload, `${tile.planned.id} unloads`, color),
    );
  }
  // Smallest first: they have the fewest positions to choose from.
  const ids = [...ordered].reverse().flatMap((tile) => tileLabel(labels, view, tile));
  return { lines: [...lines, ...arcs, ...ids, '</g>', ...scaleAndAxes(view)], hidden: labels.refused };
}

function range(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? metres(low) : `${number(low)} to ${metres(high)}`;
}

/** What the legend shows after the kinds of tiles. */
interface Notes {
  /** Whether every object has its box. */
  readonly allBoxes: boolean;
  /** Tiles whose ids found no room. */
  readonly hidden: number;
  /** The whole set. */
  readonly all: PlanMapInput['files'];
}

/** The lines below the panels, from a height on, and where they end. */
function legend(
  input: PlanMapInput,
  payloads: readonly SetTile[],
  top: number,
  { allBoxes, hidden, all }: Notes,
): { readonly lines: string[]; readonly end: number } {
  const { radii, budgets } = input;
  const left = GAP;
  const lines: string[] = [];
  let y = top;
  const say = (text: string, className = '') => {
    lines.push(`<text x="${left + 26}" y="${y}"${className}>${escapeXml(text)}</text>`);
    y += LINE;
  };
  for (const { name, color, tiles } of kindsOf(payloads)) {
    const colors = name === 'cells' ? CELL_COLORS : [color];
    colors.forEach((fill, i) => {
      const width = 18 / colors.length;
      lines.push(
        `<rect x="${left + i * width}" y="${y - 12}" width="${width}" height="14" fill="${fill}" fill-opacity="0.6"/>`,
      );
    });
    const objects = tiles.flatMap(({ planned }) => planned.objects);
    const bytes = tiles.reduce((sum, tile) => sum + tile.bytes, 0);
    const files = counted(tiles.length, 'file');
    say(`${name}: ${files}, ${contents(objects)}, ${formatBytes(bytes)}`, ' class="kind"');
    const loaded = range(tiles.map((tile) => (radii.get(tile) as Radii).streaming));
    say(`loaded within ${loaded}, kept within ${range(tiles.map((tile) => (radii.get(tile) as Radii).unload))}`);
    y += 6;
  }
  const sign = (mark: string, text: string) => {
    lines.push(mark.replaceAll('Y', String(y - 5)));
    say(text);
  };
  const inside = input.pictures ? 'fill="none"' : 'fill="#999" fill-opacity="0.35"';
  sign(
    `<rect x="${left}" y="Y" width="18" height="8" ${inside} stroke="#666" stroke-width="0.6"/>`,
    allBoxes
      ? 'object or piece, in the colour of the tile that owns it'
      : `object or piece (the ${MAX_BOXES} largest), coloured as its tile`,
  );
  sign(
    `<path d="M${left} Yh18" stroke="#444" stroke-width="1.2"/>`,
    'distance within which the tile named on it loads',
  );
  sign(`<path d="M${left} Yh18" stroke="#444" stroke-dasharray="3 4"/>`, 'distance beyond which that tile unloads');
  const { clusters = [] } = input;
  if (clusters.length > 0) {
    sign(
      `<rect x="${left}" y="Y" width="18" height="8" ${CLUSTER_OUTLINE}/>`,
      `tiles with one HLOD from ${range(clusters.map(({ distances }) => distances.hlod))} on`,
    );
  }
  const over = payloads.filter((tile) => brokenBudgets(tile, budgets).length > 0);
  if (over.length > 0) {
    sign(
      `<rect x="${left}" y="Y" width="18" height="8" fill="none" stroke="#c00000" stroke-width="3"/>`,
      'over budget:',
    );
    for (const tile of over.slice(0, 12)) say(`${tile.planned.id}: ${brokenBudgets(tile, budgets).join(', ')}`);
    if (over.length > 12) say(`and ${over.length - 12} more`);
  }
  if (hidden > 0) say(`${counted(hidden, 'id')} found no room: point at a tile to read its id`);
  y += 6;
  say(`all: ${counted(all.count, 'file')}, ${formatBytes(all.bytes)} with levels and textures`, ' class="kind"');
  return { lines, end: y };
}

/** The map as text; at least one payload is needed. Its own bytes count among those of the set that it states. */
export function planMap(input: PlanMapInput): string {
  const { count, bytes } = input.files;
  let map = '';
  // The length of the map depends on the number that it states. Two rounds are enough but for a number at its last digit.
  for (let round = 0, own = 0; round < MAX_ROUNDS; round++) {
    map = mapStating(input, { count: count + 1, bytes: bytes + own });
    const length = Buffer.byteLength(map);
    if (length === own) break;
    own = length;
  }
  return map;
}

function mapStating(input: PlanMapInput, all: PlanMapInput['files']): string {
  const { plan, tiles, shared, sceneName } = input;
  const payloads = shared ? [...tiles, shared] : tiles;
  const bounds = plan.bounds;
  // An empty extent still gets a map.
  const width = Math.max(bounds.max[0] - bounds.min[0], 0.1);
  const depth = Math.max(bounds.max[2] - bounds.min[2], 0.1);
  const margin = 0.12 * Math.max(width, depth);
  const shown = panelFloors(tiles);
  const columns = Math.ceil(Math.sqrt(shown.length));
  const side = PANEL / (columns > 1 ? 1.5 : 1);
  const scale = side / (Math.max(width, depth) + 2 * margin);
  const [panelWidth, panelHeight] = [(width + 2 * margin) * scale, (depth + 2 * margin) * scale];

  const objects = payloads.flatMap(({ planned }) => planned.objects.map((object) => object.bounds));
  const boxed = new Set(
    objects.length <= MAX_BOXES ? objects : [...objects].sort((a, b) => areaOf(b) - areaOf(a)).slice(0, MAX_BOXES),
  );

  const panels = shown.map((floor, i) => {
    const view: View = {
      left: GAP + (i % columns) * (panelWidth + GAP),
      top: HEAD + Math.floor(i / columns) * (panelHeight + GAP + LINE),
      width: panelWidth,
      height: panelHeight,
      x0: bounds.min[0] - margin,
      z0: bounds.min[2] - margin,
      scale,
    };
    const here = payloads.filter((tile) => panelOf(tile, shown) === floor);
    const title = floor === null ? '' : `floor ${floor} of ${plan.floors}`;
    return panel({ view, title, floor, boxed }, here, input);
  });
  const rows = Math.ceil(shown.length / columns);
  const hidden = panels.reduce((sum, one) => sum + one.hidden, 0);
  const below = HEAD + rows * (panelHeight + GAP + LINE) + LINE / 2;
  const key = legend(input, payloads, below, { allBoxes: objects.length <= MAX_BOXES, hidden, all });
  const total = [Math.max(GAP + columns * (panelWidth + GAP), MIN_WIDTH), key.end].map(Math.ceil);
  const size = `${metres(width)} x ${metres(depth)}`;
  const cut =
    plan.mode === 'uniform_grid'
      ? `cells of ${metres(plan.tileSize)}`
      : `${plan.mode}, ${plan.profile}, ${plan.floors === 1 ? 'one floor' : `${plan.floors} floors`}`;
  const pieces = plan.cut.reduce((sum, one) => sum + one.pieces, 0);
  const split = pieces === 0 ? '' : `; ${counted(plan.cut.length, 'object')} cut into ${pieces} pieces`;
  const facts = `${size}, seen from above; ${cut}; ${tiles.length} tiles${shared ? ' and a shared bucket' : ''}${split}`;
  const factsFont = Math.min(FACTS, (total[0] - 2 * GAP) / (facts.length * CHARACTER));
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${total[0]}" height="${total[1]}" viewBox="0 0 ${total[0]} ${total[1]}" style="max-width:100%;height:auto" font-family="sans-serif" font-size="${FONT}" fill="#222">`,
    `<style>${LABEL_STYLE}.kind,.name{font-weight:bold}</style>`,
    `<rect width="${total[0]}" height="${total[1]}" fill="#fff"/>`,
    `<text x="${GAP}" y="34" font-size="24" class="name">${escapeXml(sceneName)}</text>`,
    `<text x="${GAP}" y="58" font-size="${number(factsFont)}">${escapeXml(facts)}</text>`,
    ...panels.flatMap(({ lines }) => lines),
    ...key.lines,
    '</svg>',
  ].join('\n')}\n`;
}
