// The panel beside the picture, with its tabs: each is told of what it shows, and brought up to date while it is open.

import type { Bounds } from '../../../scene/types.ts';
import { Thumbnails } from '../drawing/thumbnails.ts';
import { urlOf } from '../reading/client.ts';
import type { ViewedSet } from '../set.ts';
import type { Selection, Viewer, ViewerEvents } from '../viewer.ts';
import { byId, element } from './element.ts';
import { MessagePanel, messageElement } from './messagePanel.ts';
import { morphSliders } from './morphSliders.ts';
import { ObjectPanel } from './objectPanel.ts';
import { ScenePanel } from './scenePanel.ts';
import { showSelection } from './selectionPanel.ts';
import { StreamPanel } from './streamPanel.ts';
import { Tabs } from './tabs.ts';
import { TexturePanel } from './texturePanel.ts';

export interface SideCalls {
  /** Brings bounds into the picture; undefined: those of all. */
  frame(bounds?: Bounds): void;
  /** Shows what the engine holds, from the beginning. */
  simulate(): void;
  /** Asks for a picture of surroundings. */
  choosePicture(): void;
}

function showMap({ description: { planMap } }: ViewedSet): void {
  if (planMap === null) return;
  const dialog = element('dialog', { 'aria-label': 'Plan map' });
  dialog.append(
    element('img', { src: urlOf(planMap), alt: 'Plan map of the set, as the cook has drawn it' }),
    element('p', {}),
    element('button', { type: 'button', onclick: () => dialog.close() }, 'Close'),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** What is there before anything is drawn: tabs, messages, and what a click has found. */
export class Findings {
  readonly tabs = new Tabs(document.querySelector<HTMLElement>('[role="tablist"]')!);
  readonly #messages = new MessagePanel(byId('panel-messages'), byId('tab-messages'));
  readonly #panel = byId('panel-selection');
  readonly #set: ViewedSet;

  constructor(set: ViewedSet) {
    this.#set = set;
    this.#messages.add(set.description.diagnostics);
    this.select(null);
  }

  readonly onFault: ViewerEvents['onFault'] = ({ diagnostics }) => this.#messages.add(diagnostics);

  select(selection: Selection | null): void {
    if (!selection) {
      const text = 'Click a surface to see its entity, material and textures.';
      this.#panel.replaceChildren(element('p', { class: 'quiet' }, text));
      return;
    }
    const { drawn, tile, level, point, triangles } = selection;
    showSelection(this.#panel, drawn, this.#set.tiles[tile] ?? null, level, point, triangles);
    const found = this.#messages.of(drawn.payload.path);
    if (found.length > 0) this.#panel.append(element('h2', {}, 'Messages'), ...found.map(messageElement));
    // Whoever goes through the objects goes on there.
    if (this.tabs.selected !== 'tab-objects') this.tabs.select('tab-selection');
  }
}

/** The panels of a viewer. */
export class Side {
  readonly #viewer: Viewer;
  readonly #set: ViewedSet;
  readonly #tabs: Tabs;
  readonly #scene: ScenePanel;
  readonly #stream: StreamPanel;
  readonly #objects: ObjectPanel;
  readonly #textures: TexturePanel;

  constructor(viewer: Viewer, set: ViewedSet, tabs: Tabs, calls: SideCalls) {
    this.#viewer = viewer;
    this.#set = set;
    this.#tabs = tabs;
    this.#scene = this.#scenePanel(calls);
    this.#stream = this.#streamPanel(calls);
    this.#objects = new ObjectPanel(byId('panel-objects'), (tile, entity) => {
      viewer.selectEntity(tile, entity);
      calls.frame(viewer.selectedBounds ?? undefined);
    });
    this.#textures = new TexturePanel(
      byId('panel-textures'),
      new Thumbnails(viewer.stage.renderer),
      () => viewer.payloads.loaded,
    );
  }

  /** Whether it waits for thumbnails. */
  get isWaiting(): boolean {
    return this.#textures.isWaiting;
  }

  /** What is known once the viewer has started. */
  showScene(): void {
    const { description, tiles, cameras } = this.#set;
    const { bounds, stage, morphNames } = this.#viewer;
    const { name, bytes, planMap } = description;
    const lights = stage.lights.authoredCount;
    const facts = { name, tiles, bounds, bytes, lights, cameras, hasMap: planMap !== null };
    this.#scene.show(facts, stage.lights.hour);
    const sliders = morphSliders(morphNames, (morph, weight) => this.#viewer.morph(morph, weight));
    byId('panel-scene').append(...sliders);
  }

  /** Lights the set by a Radiance picture. Throws ReadFault. `file`: null, the server has it. */
  async surround(name: string, file: Blob | null): Promise<void> {
    if (await this.#viewer.surround(name, file)) this.#scene.showPicture(name);
  }

  search(): void {
    this.#tabs.select('tab-objects');
    this.updateLists();
    this.#objects.focusSearch();
  }

  /** Brings the list that is open up to date with what is on the stage. */
  updateLists(): void {
    const { staged } = this.#viewer;
    if (this.#tabs.selected === 'tab-textures') this.#textures.update();
    if (this.#tabs.selected !== 'tab-objects') return;
    const { tiles } = this.#set;
    this.#objects.update(
      staged.flatMap((payload, index) => (payload ? [{ index, name: tiles[index].id, payload }] : [])),
    );
  }

  updateStream(): void {
    if (this.#tabs.selected !== 'tab-stream') return;
    const { tiles } = this.#set;
    const viewer = this.#viewer;
    const { state } = viewer;
    const eye = viewer.eye();
    this.#stream.update(state, viewer.levels, viewer.distances(), {
      colors: tiles.map((_, i) => viewer.mapColor(i)),
      loading: new Set(tiles.flatMap((_, i) => (state && state.loading[i] !== 0 ? [i] : []))),
      position: eye.position,
      forward: eye.forward,
      halfView: Math.atan(eye.tanX),
      selected: viewer.selection?.tile ?? null,
    });
  }

  #scenePanel(calls: SideCalls): ScenePanel {
    const viewer = this.#viewer;
    return new ScenePanel(byId('panel-scene'), {
      onHour: (hour) => {
        viewer.stage.hour = hour;
      },
      onLights: (source) => {
        viewer.stage.lightSource = source;
      },
      onToneMapping: (name) => {
        viewer.toneMapping = name;
      },
      onExposure: (stops) => {
        viewer.stage.exposure = stops;
      },
      onSky: (name) => {
        viewer.sky = name;
      },
      onPicture: () => calls.choosePicture(),
      onShadows: (isOn) => viewer.stage.setShadows(isOn, viewer.bounds),
      onCamera: ({ position, forward }) =>
        viewer.rig.place(
          position,
          position.map((value, k) => value + forward[k]),
        ),
      onMap: () => showMap(this.#set),
    });
  }

  #streamPanel(calls: SideCalls): StreamPanel {
    const viewer = this.#viewer;
    const { tiles, bounds } = this.#set;
    return new StreamPanel(byId('panel-stream'), tiles, bounds, viewer.streamer, {
      onPlace: (x, z) => {
        const { position } = viewer.stage.camera;
        const { target } = viewer.rig;
        viewer.rig.place([x, position.y, z], [x + target.x - position.x, target.y, z + target.z - position.z]);
      },
      onTile: (index) => {
        const box = tiles[index].bounds;
        if (box) calls.frame(box);
      },
      onRestart: () => viewer.restart(),
      onSimulate: () => calls.simulate(),
    });
  }
}
