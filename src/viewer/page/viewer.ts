// The viewer: joins set, stage, camera, loader and panels. It goes on frame by frame and draws when something has changed.

import { Box3, Box3Helper, Color, type Group, type Mesh, Raycaster, Vector2, Vector3 } from 'three';
import { orbitCamera } from '../../raster/camera.ts';
import { distanceToBounds } from '../../scene/bounds.ts';
import type { Bounds, Vec3 } from '../../scene/types.ts';
import { ENVIRONMENT_FILE } from '../description.ts';
import type { LoaderState } from '../streaming/loader.ts';
import type { Eye } from '../streaming/view.ts';
import { Player } from './animation/player.ts';
import { SurfaceGround } from './camera/ground.ts';
import { CameraRig } from './camera/rig.ts';
import { type Compared, Comparison } from './comparison.ts';
import { Director, StagedPayloads } from './director.ts';
import { type Drawn, type LoadedPayload, PayloadStore } from './drawing/payloads.ts';
import type { PICTURE, SkyName } from './drawing/skies.ts';
import { Stage } from './drawing/stage.ts';
import { TextureStore } from './drawing/textures.ts';
import { FIRST_TONE_MAPPING, TONE_MAPPINGS, type ToneMappingName } from './drawing/toneMapping.ts';
import { VIEWS, type ViewName } from './drawing/views.ts';
import { levelColor, tierColor, tileColor } from './levels.ts';
import type { Attempts } from './reading/attempts.ts';
import { type ReadFault, Reading } from './reading/client.ts';
import { Latest } from './reading/latest.ts';
import type { ViewedSet } from './set.ts';
import { levelOf, modesOf, type ShowMode, type ShownPayload, streamed, streamingDistance } from './shown.ts';
import { MIN_BUDGET, Streamer } from './streamer.ts';

export const TINTS = { none: 'None', level: 'Level', tier: 'Tier', tile: 'Tile' } as const;
export type TintName = keyof typeof TINTS;
const TINT_SHARE = 0.6;

export interface Selection {
  readonly drawn: Drawn;
  readonly tile: number;
  readonly level: string;
  readonly point: readonly [number, number, number];
  readonly triangles: number;
}

export interface ViewerEvents {
  /** Something that panels show has changed. */
  onChange(): void;
  onSelect(selection: Selection | null): void;
  onFault(fault: ReadFault): void;
}

/** All of a set at once, unless it takes more than the engine would hold. */
function firstMode({ tiles }: ViewedSet): ShowMode {
  const bytes = tiles.reduce((sum, tile) => sum + tile.gpuBytes, 0);
  return bytes > MIN_BUDGET && modesOf(tiles)[0][0] === 'streamed' ? 'streamed' : 'full';
}

const array = ({ x, y, z }: Vector3): [number, number, number] => [x, y, z];
const UNIT_BOX: Bounds = { min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] };
/** Longer pauses of the page, behind another tab, are no flight. */
const LONGEST_STEP = 0.25;

export class Viewer {
  readonly set: ViewedSet;
  readonly stage: Stage;
  readonly rig: CameraRig;
  readonly streamer: Streamer;
  readonly reading: Reading;
  readonly textures: TextureStore;
  readonly payloads: PayloadStore;
  readonly player: Player;
  readonly #canvas: HTMLCanvasElement;
  readonly #director: Director;
  readonly #events: ViewerEvents;
  readonly #shown: (ShownPayload | null)[];
  readonly #staged = new StagedPayloads();
  readonly #surroundings = new Latest();
  #compared: Compared | null = null;
  /** What is drawn beside the set, or what its levels are measured against; null: nothing. */
  #other: Comparison | null = null;
  #share = 0.5;
  readonly #outline = new Box3Helper(new Box3(), new Color(0xffc94d));
  #mode: ShowMode;
  #tint: TintName = 'none';
  #view: ViewName = 'lit';
  #toneMapping: ToneMappingName = FIRST_TONE_MAPPING;
  #selection: Selection | null = null;
  #state: LoaderState | null = null;
  /** A recorded moment that is looked at; null: the present. */
  #moment: number | null = null;
  #isPaused = false;
  readonly #weights = new Map<string, number>();
  #hasStarted = false;
  #last = 0;

  constructor(set: ViewedSet, canvas: HTMLCanvasElement, attempts: Attempts, events: ViewerEvents) {
    this.set = set;
    this.reading = new Reading(attempts);
    this.#canvas = canvas;
    this.#events = events;
    this.stage = new Stage(canvas);
    this.textures = new TextureStore(this.stage.renderer, this.reading, (fault) => events.onFault(fault));
    this.payloads = new PayloadStore(
      this.reading,
      this.textures,
      () => this.stage.invalidateSoon(),
      (fault) => events.onFault(fault),
    );
    const clipStage = { scene: this.stage.scene, payloads: () => this.payloads.loaded };
    this.player = new Player(set.description.clips, this.reading, clipStage, {
      onPose: () => this.stage.invalidateShapes(),
      onFault: (fault) => events.onFault(fault),
    });
    const stage = { store: this.payloads, scene: this.stage.scene, staged: this.#staged };
    this.#director = new Director(set.tiles.length, stage, (tile) => this.#onStaged(tile));
    const ground = new SurfaceGround(
      () => this.#groups(),
      () => this.bounds,
    );
    this.rig = new CameraRig(this.stage.camera, canvas, ground, () => this.stage.invalidate());
    this.streamer = new Streamer(set.tiles, set.description.bytes);
    this.#shown = set.tiles.map(() => null);
    this.#mode = firstMode(set);
    this.#outline.visible = false;
    this.#outline.raycast = () => {};
    this.stage.scene.add(this.#outline);
    this.stage.lights.setAuthored(set.lights);
    new ResizeObserver(() => this.#resize()).observe(canvas);
    this.#resize();
    canvas.addEventListener('click', (event) => this.#click(event));
  }

  /** Reads what is shown first and begins to draw. `camera`: position and target; absent: all of the set is seen. */
  async start(camera?: readonly number[]): Promise<void> {
    if (this.set.bounds === null) {
      const payload = await this.payloads.take(this.set.tiles[0].full);
      this.stage.lights.setAuthored(payload?.facts.lights ?? []);
    }
    this.frame();
    if (camera) this.rig.place(camera.slice(0, 3), camera.slice(3));
    this.#follow();
    this.#hasStarted = true;
    requestAnimationFrame((now) => this.#step(now));
  }

  // What is shown ------------------------------------------------------------------------------------------------------

  get mode(): ShowMode {
    return this.#mode;
  }

  set mode(mode: ShowMode) {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#moment = null;
    this.#state = null;
    if (mode === 'streamed') this.streamer.restart();
    this.#follow();
  }

  get view(): ViewName {
    return this.#view;
  }

  set view(view: ViewName) {
    this.#view = view;
    this.payloads.view = view;
    this.stage.view = view;
    this.#compareNow();
    this.#events.onChange();
  }

  get compared(): Compared | null {
    return this.#compared;
  }

  /** Draws another level, or another output, right of the divider; null: nothing. */
  set compared(compared: Compared | null) {
    this.#compared = compared;
    this.#compareNow();
    this.#events.onChange();
  }

  get share(): number {
    return this.#share;
  }

  /** Where the divider is, as a share of the width. */
  set share(share: number) {
    this.#share = Math.min(1, Math.max(0, share));
    this.#setSides();
    this.#events.onChange();
  }

  /** In the view of deviation the set is measured against its own full detail. */
  #compareNow(): void {
    const before = this.#other;
    const isDeviation = this.#view === 'deviation';
    const tiles = isDeviation ? this.set.tiles : this.#compared?.tiles;
    const stage = {
      store: this.payloads,
      scene: this.stage.scene,
      staged: this.#staged,
      onChange: () => this.stage.invalidateSoon(),
    };
    this.#other = tiles ? new Comparison(tiles, stage) : null;
    if (isDeviation) this.#other?.showFull(this.#shown);
    else if (this.#compared) this.#other?.showMode(this.#compared.mode);
    before?.close();
    this.#setSides();
  }

  #setSides(): void {
    const other = this.#other;
    if (other === null) for (const { group } of this.#staged.all) group.visible = true;
    this.stage.sides = other && { share: this.#share, show: (side) => this.#show(side, other) };
  }

  #show(side: 'a' | 'b', other: Comparison): void {
    const list = side === 'a' ? this.set.tiles : other.tiles;
    const of = side === 'a' ? this.#director : other;
    const shown = new Set(list.map((_, tile) => of.staged(tile)));
    for (const payload of this.#staged.all) payload.group.visible = shown.has(payload);
  }

  set tint(tint: TintName) {
    this.#tint = tint;
    for (const tile of this.set.tiles.keys()) this.#onStaged(tile);
    this.stage.invalidate();
    this.#events.onChange();
  }

  get tint(): TintName {
    return this.#tint;
  }

  set toneMapping(name: ToneMappingName) {
    this.#toneMapping = name;
    this.stage.toneMapping = name;
  }

  set sky(name: SkyName | typeof PICTURE) {
    this.#surroundings.choose();
    this.stage.sky = name;
  }

  /**
   * Lights the set by a Radiance picture: one that was given to the page, or, for null, that the server has. False where other
   * surroundings were asked for before it was read. Throws ReadFault.
   */
  async surround(name: string, file: Blob | null): Promise<boolean> {
    const picture = await this.#surroundings.of(async () => {
      const content = file && new Uint8Array(await file.arrayBuffer());
      return this.reading.environment(ENVIRONMENT_FILE, name, content);
    });
    if (picture === null) return false;
    this.stage.surroundings = picture;
    this.#events.onChange();
    return true;
  }

  get toneMappingName(): string {
    const isLit = this.#view === 'lit';
    return isLit ? TONE_MAPPINGS[this.#toneMapping][0] : 'none';
  }

  get state(): LoaderState | null {
    return this.#state;
  }

  get levels(): readonly (string | null)[] {
    return this.#shown.map((shown) => shown?.level ?? null);
  }

  get selection(): Selection | null {
    return this.#selection;
  }

  /** Payloads that are to be shown and are not on the stage yet. */
  get waiting(): number {
    return this.#director.waiting + (this.#other?.waiting ?? 0);
  }

  /** Everything that is to be shown is drawn. */
  get isSettled(): boolean {
    return this.waiting === 0 && this.reading.inFlight === 0;
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  get isDrawn(): boolean {
    return this.#hasStarted && this.stage.isDrawn;
  }

  get paths(): readonly (string | null)[] {
    return this.set.tiles.map((_, tile) => this.#director.staged(tile)?.path ?? null);
  }

  distances(): number[] {
    const position = array(this.stage.camera.position);
    return this.set.tiles.map(({ bounds }) => (bounds ? distanceToBounds(position, bounds) : 0));
  }

  /** Tells the director what is to be shown of each tile. */
  #follow(): void {
    const { loader, moments } = this.streamer;
    const isStreamed = this.#mode === 'streamed';
    this.#state = isStreamed ? (this.#moment === null ? loader.state() : moments[this.#moment].state) : null;
    this.set.tiles.forEach((tile, i) => {
      if (this.#state) {
        const { shown, beside } = streamed(loader, this.#state, i);
        this.#shown[i] = shown;
        this.#director.set(i, shown?.path ?? null, beside);
      } else {
        this.#shown[i] = levelOf(tile, this.#mode);
        this.#director.set(i, this.#shown[i]?.path ?? null);
      }
    });
    if (this.#view === 'deviation') this.#other?.showFull(this.#shown);
    this.#events.onChange();
  }

  #onStaged(tile: number): void {
    const payload = this.#director.staged(tile);
    if (payload) {
      const color = this.#tintOf(tile);
      const { r, g, b } = color ?? new Color(1, 1, 1);
      payload.tint.value.set(r, g, b, color ? TINT_SHARE : 0);
      payload.reach.value = streamingDistance(this.set.tiles[tile], this.#shown[tile]?.level ?? 'full') ?? 0;
      if (payload.rigs.length > 0) this.player.pose();
    }
    if (this.#selection?.tile === tile && this.#selection.drawn.payload !== payload) this.select(null);
    this.stage.invalidateSoon();
  }

  #tintOf(tile: number): Color | null {
    if (this.#tint === 'level') return new Color(levelColor(this.#shown[tile]?.level ?? 'none'));
    if (this.#tint === 'tier') return new Color(tierColor(this.set.tiles[tile].tier));
    return this.#tint === 'tile' ? new Color(tileColor(tile)) : null;
  }

  /** The colour of a tile on the map. */
  mapColor(tile: number): string | null {
    if (this.#shown[tile] === null) return null;
    if (this.#tint === 'tier') return tierColor(this.set.tiles[tile].tier);
    return this.#tint === 'tile' ? tileColor(tile) : levelColor(this.#shown[tile]?.level ?? 'none');
  }

  // Time ---------------------------------------------------------------------------------------------------------------

  get moment(): number | null {
    return this.#moment;
  }

  /** Looks at a recorded moment; null: at the present. */
  set moment(index: number | null) {
    this.#moment = index;
    const moment = index === null ? null : this.streamer.moments[index];
    if (moment) this.rig.place(moment.position, moment.target);
    this.#follow();
  }

  restart(): void {
    this.#moment = null;
    this.streamer.restart();
    this.#follow();
  }

  /** The eye of the camera, as the loader takes it. */
  eye(): Eye {
    const { camera } = this.stage;
    const tanY = Math.tan((camera.fov * Math.PI) / 360);
    const up = new Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    return {
      position: array(camera.position),
      forward: array(camera.getWorldDirection(new Vector3())),
      up: array(up),
      tanX: tanY * camera.aspect,
      tanY,
    };
  }

  /** Lets the loader go on by so many seconds with the camera where it is. Scripts pause the page's own clock first. */
  advance(seconds: number): void {
    this.streamer.advance(seconds, this.eye(), array(this.rig.target));
    this.#follow();
  }

  /** The names of the morph targets of all payloads that are there. */
  get morphNames(): readonly string[] {
    const names = this.payloads.loaded.flatMap(({ morphs }) => morphs.flatMap(({ targets }) => targets));
    return [...new Set(names.map(({ name }) => name))];
  }

  /** Shows a morph target at a weight, on every mesh that has it. */
  morph(name: string, weight: number): void {
    this.#weights.set(name, weight);
    for (const { morphs } of this.payloads.loaded) for (const one of morphs) one.show(this.#weights);
    this.stage.invalidateShapes();
  }

  set isPaused(value: boolean) {
    this.#isPaused = value;
  }

  #step(now: number): void {
    const seconds = Math.min(LONGEST_STEP, Math.max(0, (now - this.#last) / 1000));
    this.#last = now;
    if (this.rig.step(seconds) && this.#moment !== null) this.moment = null;
    if (this.#mode === 'streamed' && this.#moment === null && !this.#isPaused) {
      if (this.streamer.advance(seconds, this.eye(), array(this.rig.target))) this.#follow();
    }
    if (!this.#isPaused) this.player.step(seconds);
    if (this.stage.draw(!this.isSettled)) this.#events.onChange();
    requestAnimationFrame((next) => this.#step(next));
  }

  // Camera -------------------------------------------------------------------------------------------------------------

  #resize(): void {
    const { clientWidth, clientHeight } = this.#canvas;
    this.stage.resize(clientWidth, clientHeight);
  }

  /** The bounds of the whole set. */
  get bounds(): Bounds {
    if (this.set.bounds) return this.set.bounds;
    const box = new Box3();
    for (const { bounds } of this.payloads.loaded) box.union(bounds);
    return box.isEmpty() ? UNIT_BOX : { min: array(box.min), max: array(box.max) };
  }

  /** Puts the camera where `untold render` has it: all of the set, or of what is selected, from the front right and above. */
  frame(bounds: Bounds = this.bounds): void {
    const { clientWidth, clientHeight } = this.#canvas;
    const { position, back } = orbitCamera(bounds, Math.max(1, clientWidth), Math.max(1, clientHeight));
    const middle = bounds.min.map((value, k) => (value + bounds.max[k]) / 2) as unknown as Vec3;
    const distance = Math.hypot(...position.map((value, k) => value - middle[k]));
    const all = this.bounds;
    const size = Math.hypot(...all.max.map((value, k) => value - all.min[k]));
    this.stage.camera.near = Math.max(0.01, Math.min(0.1, size / 1000));
    this.stage.camera.far = Math.max(100, size * 8 + distance * 2);
    this.stage.camera.updateProjectionMatrix();
    this.rig.speed = Math.max(0.5, Math.min(40, size / 12));
    this.rig.place(
      position,
      position.map((value, k) => value - back[k] * distance),
    );
  }

  // Selection ----------------------------------------------------------------------------------------------------------

  #click({ clientX, clientY, detail }: MouseEvent): void {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    const x = ((clientX - left) / width) * 2 - 1;
    const y = 1 - ((clientY - top) / height) * 2;
    // A drag ends with a click, too.
    if (this.#wasDragged(clientX, clientY)) return;
    if (detail > 1) return;
    this.pick(x, y);
  }

  readonly #downAt = this.#watchDown();

  #watchDown(): { x: number; y: number } {
    const at = { x: 0, y: 0 };
    queueMicrotask(() =>
      this.#canvas.addEventListener('pointerdown', ({ clientX, clientY }) => {
        at.x = clientX;
        at.y = clientY;
      }),
    );
    return at;
  }

  #wasDragged(x: number, y: number): boolean {
    return Math.hypot(x - this.#downAt.x, y - this.#downAt.y) > 4;
  }

  /** The surfaces of the set that are on the stage. */
  #groups(): Group[] {
    const staged = this.set.tiles.map((_, tile) => this.#director.staged(tile));
    return [...new Set(staged)].flatMap((payload) => (payload ? [payload.group] : []));
  }

  /** Selects what is at a place of the picture, -1 to 1 from left to right and from bottom to top. */
  pick(x: number, y: number): Selection | null {
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), this.stage.camera);
    const [hit] = ray.intersectObjects(this.#groups(), true);
    if (!hit) {
      this.select(null);
      return null;
    }
    return this.#selectMesh(hit.object as Mesh, hit.point);
  }

  #selectMesh(mesh: Mesh, point: Vector3): Selection {
    const drawn = mesh.userData as Drawn;
    const tile = this.set.tiles.findIndex((_, i) => this.#director.staged(i) === drawn.payload);
    this.#outline.box.setFromObject(mesh);
    const triangles = Math.floor((mesh.geometry.index?.count ?? 0) / 3);
    const level = this.#shown[tile]?.level ?? 'full';
    const selection = { drawn, tile, level, point: array(point), triangles };
    this.select(selection);
    return selection;
  }

  /** Selects the first mesh of an entity of a tile; nothing where there is none. */
  selectEntity(tile: number, entity: number): void {
    const payload = this.#director.staged(tile);
    const mesh = payload?.group.children.find((one) => (one.userData as Drawn).entity === entity) as Mesh | undefined;
    if (mesh) this.#selectMesh(mesh, new Box3().setFromObject(mesh).getCenter(new Vector3()));
  }

  /** What is on the stage of each tile; null: nothing. */
  get staged(): readonly (LoadedPayload | null)[] {
    return this.set.tiles.map((_, tile) => this.#director.staged(tile));
  }

  select(selection: Selection | null): void {
    this.#selection = selection;
    this.#outline.visible = selection !== null;
    this.stage.invalidate();
    this.#events.onSelect(selection);
  }

  /** The bounds of what is selected; null: nothing is. */
  get selectedBounds(): Bounds | null {
    if (!this.#selection) return null;
    const { box } = this.#outline;
    return { min: array(box.min), max: array(box.max) };
  }

  /** The next view of the menu. */
  get nextView(): ViewName {
    const names = Object.keys(VIEWS) as ViewName[];
    return names[(names.indexOf(this.#view) + 1) % names.length];
  }
}
