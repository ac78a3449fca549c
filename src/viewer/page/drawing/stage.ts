// The canvas: scene, camera, light and tone mapping. A picture is drawn when something has changed, and not otherwise.

import { Color, type CubeTexture, PerspectiveCamera, Scene, Vector2, WebGLRenderer } from 'three';
import { SKY } from '../../../raster/background.ts';
import { TAN_HALF_VIEW } from '../../../raster/camera.ts';
import type { Bounds } from '../../../scene/types.ts';
import type { ReadEnvironment } from '../reading/environment.ts';
import { DeviationPicture } from './deviation.ts';
import { environmentOf, environmentOfMips } from './environment.ts';
import { type LightSource, Lights } from './lights.ts';
import { PICTURE, SKIES, type SkyName } from './skies.ts';
import { Sky } from './sky.ts';
import { FIRST_TONE_MAPPING, TONE_MAPPINGS, type ToneMappingName } from './toneMapping.ts';
import type { ViewName } from './views.ts';

/** Behind views in which colours have a meaning. */
const DARK = new Color(0x16181c);

/** While files are read, pictures of what has come take one part of the time in so many. */
const PATIENCE = 5;

/** So many milliseconds the first picture waits for files: surfaces without their textures would need shaders of their own. */
const FIRST_PATIENCE = 400;

export interface DrawCounts {
  readonly triangles: number;
  readonly calls: number;
  /** Milliseconds of the page's own thread. */
  readonly milliseconds: number;
}

/** Two pictures in one: A left of the divider, B right of it; or, in the view of deviation, A against B. */
export interface Sides {
  /** The divider, as a share of the width. */
  readonly share: number;
  /** Makes the surfaces of one of them visible. */
  show(side: 'a' | 'b'): void;
}

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera((Math.atan(TAN_HALF_VIEW) * 360) / Math.PI, 1, 0.05, 1000);
  readonly renderer: WebGLRenderer;
  readonly lights = new Lights();
  readonly #sky = new Sky();
  #view: ViewName = 'lit';
  #skyName: SkyName | typeof PICTURE = 'neutral';
  #picture: ReadEnvironment | null = null;
  #isShadowStale = true;
  #isDirty = true;
  #isPatient = false;
  #begunAt: number | null = null;
  #drawnAt = 0;
  #counts: DrawCounts = { triangles: 0, calls: 0, milliseconds: 0 };
  #sides: Sides | null = null;
  #deviation: DeviationPicture | null = null;

  constructor(canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: false });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.toneMapping = TONE_MAPPINGS[FIRST_TONE_MAPPING][1];
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.autoUpdate = false;
    this.scene.add(this.#sky.mesh, this.lights.group);
    // The sky is drawn first: what three.js has counted before are shadows, and no triangles of the picture.
    this.#sky.mesh.onBeforeRender = ({ info }) => info.reset();
    this.scene.environment = environmentOf(SKIES.neutral.mirrored);
    this.#light();
  }

  /** Something is to be drawn anew. */
  invalidate(): void {
    this.#isDirty = true;
    this.#isPatient = false;
  }

  /** Something was added, and more is to come: it is drawn when that does not hold up the rest. */
  invalidateSoon(): void {
    if (!this.#isDirty) this.#isPatient = true;
    this.#isDirty = true;
    this.#isShadowStale = true;
  }

  /** Something was moved, and so are its shadows. */
  invalidateShapes(): void {
    this.#isShadowStale = true;
    this.invalidate();
  }

  /** The picture shows all that has changed. */
  get isDrawn(): boolean {
    return !this.#isDirty;
  }

  get counts(): DrawCounts {
    return this.#counts;
  }

  set toneMapping(name: ToneMappingName) {
    this.renderer.toneMapping = TONE_MAPPINGS[name][1];
    this.invalidate();
  }

  /** Of the tone mapping, in stops. */
  set exposure(stops: number) {
    this.renderer.toneMappingExposure = 2 ** stops;
    this.invalidate();
  }

  /** The surroundings of the name PICTURE, which are shown at once. */
  set surroundings(picture: ReadEnvironment) {
    this.#picture = picture;
    this.sky = PICTURE;
  }

  set sky(name: SkyName | typeof PICTURE) {
    this.#skyName = name;
    this.scene.environment?.dispose();
    const picture = name === PICTURE ? this.#picture : null;
    this.lights.picture = picture;
    const environment = picture
      ? environmentOfMips(picture.mips)
      : environmentOf(SKIES[name === PICTURE ? 'neutral' : name].mirrored);
    this.scene.environment = environment;
    this.#light();
  }

  /** Whether the sun casts shadows; `bounds`: of all that is shown. */
  setShadows(isOn: boolean, bounds: Bounds): void {
    const { shadow } = this.lights;
    shadow.isOn = isOn;
    shadow.bounds = bounds;
    this.invalidateShapes();
  }

  set view(view: ViewName) {
    this.#view = view;
    this.#light();
  }

  /** Null: one picture. */
  set sides(sides: Sides | null) {
    this.#sides = sides;
    this.invalidate();
  }

  set hour(hour: number) {
    this.lights.hour = hour;
    this.#light();
  }

  set lightSource(value: LightSource) {
    this.lights.source = value;
    this.#light();
  }

  #light(): void {
    const hasSky = this.#view === 'lit' || this.#view === 'plain' || this.#view === 'base';
    const isLit = this.#view === 'lit';
    this.#sky.mesh.visible = hasSky;
    this.#sky.isMapped = isLit;
    const isPicture = isLit && this.#skyName === PICTURE;
    this.#sky.picture = isPicture ? (this.scene.environment as CubeTexture) : null;
    this.#sky.colors = isLit && this.#skyName !== PICTURE ? SKIES[this.#skyName].behind : SKY;
    this.#sky.brightness = isLit ? this.lights.sky : 1;
    this.scene.environmentIntensity = this.lights.sky;
    this.#isShadowStale = true;
    this.scene.background = hasSky ? null : this.#view === 'overdraw' ? new Color(0) : DARK;
    this.invalidate();
  }

  resize(width: number, height: number): void {
    if (width < 1 || height < 1) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  /** The map of shadows is drawn anew where it has changed, with the next picture. */
  #followShadows(): void {
    const { shadow, sun } = this.lights;
    if (!shadow.isOn || this.#view !== 'lit') return;
    const isMoved = shadow.follow(this.camera, sun);
    // Two pictures have two maps.
    if (isMoved || this.#isShadowStale || this.#sides !== null) this.renderer.shadowMap.needsUpdate = true;
    this.#isShadowStale = false;
  }

  #render(): Pick<DrawCounts, 'triangles' | 'calls'> {
    const { renderer, scene, camera } = this;
    const sides = this.#sides;
    const drawn = { triangles: 0, calls: 0 };
    const once = () => {
      this.#followShadows();
      renderer.render(scene, camera);
      drawn.triangles += renderer.info.render.triangles;
      drawn.calls += renderer.info.render.calls;
    };
    if (sides === null) once();
    else if (this.#view === 'deviation') {
      this.#deviation ??= new DeviationPicture();
      this.#deviation.draw(renderer, scene, camera, sides.show);
      Object.assign(drawn, renderer.info.render);
    } else {
      const { x: width, y: height } = renderer.getSize(new Vector2());
      const split = Math.round(width * sides.share);
      renderer.setScissorTest(true);
      renderer.setScissor(0, 0, split, height);
      sides.show('a');
      once();
      renderer.setScissor(split, 0, width - split, height);
      sides.show('b');
      once();
      renderer.setScissorTest(false);
    }
    return drawn;
  }

  /** The picture as a file, drawn anew: what a canvas shows is gone when its frame is over. */
  picture(): Promise<Blob | null> {
    this.#render();
    return new Promise((resolve) => this.renderer.domElement.toBlob(resolve, 'image/png'));
  }

  /** Draws if something has changed. True: it has. `isReading`: more is being read. */
  draw(isReading: boolean): boolean {
    const began = performance.now();
    if (!this.#isDirty) return false;
    this.#begunAt ??= began;
    if (this.#drawnAt === 0 && isReading && began - this.#begunAt < FIRST_PATIENCE) return false;
    if (this.#isPatient && isReading && began - this.#drawnAt < PATIENCE * this.#counts.milliseconds) return false;
    this.#isDirty = false;
    this.#isPatient = false;
    const { triangles, calls } = this.#render();
    const isSky = this.#sky.mesh.visible;
    // The sky is nothing of the set.
    this.#counts = {
      triangles: triangles - (isSky ? 12 : 0),
      calls: calls - (isSky ? 1 : 0),
      milliseconds: performance.now() - began,
    };
    this.#drawnAt = performance.now();
    return true;
  }
}
