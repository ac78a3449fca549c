// The page of `untold view`: opens the set, makes the viewer and ties it to toolbar, panels, timeline and status line.

import type { CameraMode, Place } from './address.ts';
import { AddressBar } from './addressBar.ts';
import { comparable, shortName } from './comparison.ts';
import { Thumbnails } from './drawing/thumbnails.ts';
import { VIEWS, type ViewName } from './drawing/views.ts';
import { ClipBar } from './panels/clipBar.ts';
import { Divider } from './panels/divider.ts';
import { byId, element, fillSelect } from './panels/element.ts';
import { fillKeys } from './panels/keys.ts';
import { showLegend } from './panels/legend.ts';
import { MessagePanel, messageElement } from './panels/messagePanel.ts';
import { morphSliders } from './panels/morphSliders.ts';
import { Notice } from './panels/notice.ts';
import { ObjectPanel } from './panels/objectPanel.ts';
import { savePicture } from './panels/savePicture.ts';
import { ScenePanel } from './panels/scenePanel.ts';
import { showSelection } from './panels/selectionPanel.ts';
import { StatusLine } from './panels/statusLine.ts';
import { StreamPanel } from './panels/streamPanel.ts';
import { Tabs } from './panels/tabs.ts';
import { TexturePanel } from './panels/texturePanel.ts';
import { Timeline } from './panels/timeline.ts';
import { Attempts } from './reading/attempts.ts';
import { urlOf } from './reading/client.ts';
import { watchServer } from './reading/pulse.ts';
import { NotThere, openSets, type ViewedSet } from './set.ts';
import { modesOf, type ShowMode } from './shown.ts';
import { MIN_BUDGET } from './streamer.ts';
import { troubleOf } from './trouble.ts';
import { TINTS, type TintName, Viewer } from './viewer.ts';

declare global {
  /** The viewer, for scripts and tests. */
  var untoldViewer: Viewer | undefined;
}

function showMap(set: ViewedSet): void {
  const { planMap } = set.description;
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

function run(set: ViewedSet, against: ViewedSet | null): void {
  const { description, tiles, bounds, cameras } = set;
  byId('name').textContent = description.name;
  byId('name').title = description.name;
  document.title = `${description.name} · untold view`;
  const tabs = new Tabs(document.querySelector<HTMLElement>('[role="tablist"]')!);
  const messages = new MessagePanel(byId('panel-messages'), byId('tab-messages'));
  messages.add(description.diagnostics);
  const selectionPanel = byId('panel-selection');
  const nothingSelected = () =>
    selectionPanel.replaceChildren(
      element('p', { class: 'quiet' }, 'Click a surface to see its entity, material and textures.'),
    );
  nothingSelected();

  let isStale = true;
  const canvas = byId<HTMLCanvasElement>('canvas');
  const viewer = new Viewer(set, canvas, attempts, {
    onChange: () => {
      isStale = true;
    },
    onSelect: (selection) => {
      isStale = true;
      if (!selection) return nothingSelected();
      const { drawn, tile, level, point, triangles } = selection;
      showSelection(selectionPanel, drawn, tiles[tile] ?? null, level, point, triangles);
      const found = messages.of(drawn.payload.path);
      if (found.length > 0) selectionPanel.append(element('h2', {}, 'Messages'), ...found.map(messageElement));
      // Whoever goes through the objects goes on there.
      if (tabs.selected !== 'tab-objects') tabs.select('tab-selection');
    },
    onFault: ({ diagnostics }) => messages.add(diagnostics),
  });
  globalThis.untoldViewer = viewer;

  const show = byId<HTMLSelectElement>('show');
  const view = byId<HTMLSelectElement>('view');
  const timeline = new Timeline(byId('timeline'), (index) => {
    viewer.moment = index;
  });
  const clips = description.clips.length > 0 ? new ClipBar(byId('clips'), viewer.player) : null;
  const others = comparable(set, against);
  const divider = new Divider((share) => {
    viewer.share = share;
  });
  const nameSides = () => {
    const { compared, mode, view } = viewer;
    const [, level = ''] = modesOf(tiles).find(([one]) => one === mode) ?? [];
    const isOther = compared !== null && compared.tiles !== tiles;
    const a = isOther ? `${shortName(set)}: ${level}` : level;
    divider.show(compared && view !== 'deviation' ? { a, b: compared.text } : null);
  };
  const compare = byId<HTMLSelectElement>('compare');
  const menu = [['', 'One picture'] as const, ...others.map(({ key, text }) => [key, text] as const)];
  fillSelect(compare, menu, against ? others[0].key : '', (key) => {
    viewer.compared = others.find((one) => one.key === key) ?? null;
    nameSides();
  });
  if (against) viewer.compared = others[0];
  nameSides();
  const setShow = (mode: ShowMode) => {
    viewer.mode = mode;
    show.value = mode;
    nameSides();
    timeline.isShown = mode === 'streamed';
  };
  const setView = (name: ViewName) => {
    viewer.view = name;
    view.value = name;
    nameSides();
  };
  fillSelect(show, modesOf(tiles), viewer.mode, (mode) => {
    setShow(mode);
    if (mode === 'streamed') tabs.select('tab-stream');
  });
  timeline.isShown = viewer.mode === 'streamed';
  fillSelect(view, Object.entries(VIEWS), 'lit', (name) => setView(name as ViewName));
  fillSelect(byId<HTMLSelectElement>('tint'), Object.entries(TINTS), 'none', (name) => {
    viewer.tint = name as TintName;
  });

  const modes = [...document.querySelectorAll<HTMLInputElement>('input[name="camera"]')];
  const setCamera = (mode: CameraMode) => {
    viewer.rig.mode = mode;
    for (const input of modes) input.checked = input.value === mode;
  };
  for (const input of modes) input.addEventListener('change', () => setCamera(input.value as CameraMode));
  /** Whoever walks sees little of what is framed. */
  const frame = (bounds = viewer.bounds) => {
    if (viewer.rig.mode === 'walk') setCamera('orbit');
    viewer.frame(bounds);
  };
  byId('frame').addEventListener('click', () => frame());
  const keys = byId<HTMLDialogElement>('keys');
  fillKeys(keys);
  byId('picture').addEventListener('click', () => shortcuts.c());
  byId('help').addEventListener('click', () => keys.showModal());
  byId('toggle').addEventListener('click', () => {
    const isWide = document.body.classList.toggle('wide');
    byId('toggle').setAttribute('aria-expanded', String(!isWide));
  });

  const scenePanel = new ScenePanel(byId('panel-scene'), {
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
      viewer.stage.sky = name;
    },
    onShadows: (isOn) => viewer.stage.setShadows(isOn, viewer.bounds),
    onCamera: ({ position, forward }) =>
      viewer.rig.place(
        position,
        position.map((value, k) => value + forward[k]),
      ),
    onMap: () => showMap(set),
  });
  const showScene = () =>
    scenePanel.show(
      {
        name: description.name,
        tiles,
        bounds: viewer.bounds,
        bytes: description.bytes,
        lights: viewer.stage.lights.authoredCount,
        cameras,
        hasMap: description.planMap !== null,
      },
      viewer.stage.lights.hour,
    );
  const stream = new StreamPanel(byId('panel-stream'), tiles, bounds, viewer.streamer, {
    onPlace: (x, z) => {
      const { position } = viewer.stage.camera;
      const { target } = viewer.rig;
      viewer.rig.place([x, position.y, z], [x + target.x - position.x, target.y, z + target.z - position.z]);
    },
    onTile: (index) => {
      const box = tiles[index].bounds;
      if (box) frame(box);
    },
    onRestart: () => viewer.restart(),
    onSimulate: () => {
      setShow('streamed');
      viewer.restart();
    },
  });

  const objectPanel = new ObjectPanel(byId('panel-objects'), (tile, entity) => {
    viewer.selectEntity(tile, entity);
    frame(viewer.selectedBounds ?? undefined);
  });
  const texturePanel = new TexturePanel(byId('panel-textures'), new Thumbnails(viewer.stage.renderer));
  /** Brings the panel that is open up to date with what is on the stage. */
  const updateLists = () => {
    if (tabs.selected === 'tab-textures') texturePanel.update(viewer.payloads.loaded);
    if (tabs.selected !== 'tab-objects') return;
    const staged = viewer.staged.flatMap((payload, index) =>
      payload ? [{ index, name: tiles[index].id, payload }] : [],
    );
    objectPanel.update(staged);
  };

  const shortcuts: Readonly<Record<string, () => void>> = {
    f: () => frame(viewer.selectedBounds ?? undefined),
    o: () => setCamera('orbit'),
    g: () => setCamera('fly'),
    k: () => setCamera('walk'),
    v: () => setView(viewer.nextView),
    c: () => void viewer.stage.picture().then((picture) => savePicture(picture, description.name)),
    p: () => clips?.playOrPause(),
    j: () => clips?.showJoints(),
    ',': () => clips?.nudge(-1),
    '.': () => clips?.nudge(1),
    '/': () => {
      tabs.select('tab-objects');
      updateLists();
      objectPanel.focusSearch();
    },
    '?': () => keys.showModal(),
    Escape: () => viewer.select(null),
  };
  document.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const isField =
      target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== 'radio');
    if (ctrlKey || metaKey || altKey || isField || keys.open) return;
    if (key === 'Enter' && target === canvas) viewer.pick(0, 0);
    else {
      // What is typed for a shortcut is no search.
      if (key === '/') event.preventDefault();
      shortcuts[key.length === 1 ? key.toLowerCase() : key]?.();
    }
  });

  const go = ({ camera, mode, show: shown, view: seen }: Place) => {
    if (shown !== undefined && modesOf(tiles).some(([one]) => one === shown)) setShow(shown);
    if (seen !== undefined && seen in VIEWS) setView(seen as ViewName);
    if (camera) viewer.rig.place(camera.slice(0, 3), camera.slice(3));
    setCamera(mode ?? 'orbit');
  };
  const [firstShow, firstView] = [viewer.mode, viewer.view];
  const address = new AddressBar(
    () => ({
      camera: [...viewer.stage.camera.position.toArray(), ...viewer.rig.target.toArray()],
      ...(viewer.rig.mode === 'orbit' ? {} : { mode: viewer.rig.mode }),
      ...(viewer.mode === firstShow ? {} : { show: viewer.mode }),
      ...(viewer.view === firstView ? {} : { view: viewer.view }),
    }),
    go,
  );

  const status = new StatusLine(document.querySelector<HTMLElement>('footer')!);
  const legend = byId('legend');
  const busy = byId('busy');
  const update = () => {
    notice.show(troubleOf(attempts, viewer.payloads.unreadable));
    const { state, waiting } = viewer;
    const { triangles, calls, milliseconds } = viewer.stage.counts;
    const text = waiting > 0 && state === null ? `Reading ${waiting} ${waiting === 1 ? 'payload' : 'payloads'} …` : '';
    if (busy.textContent !== text) busy.textContent = text;
    if (viewer.hasStarted) address.update();
    if (!isStale && waiting === 0 && !texturePanel.isWaiting) return;
    isStale = false;
    updateLists();
    status.update({
      triangles,
      calls,
      milliseconds,
      geometryBytes: state?.residentBytes ?? viewer.payloads.gpuBytes,
      budget: state ? viewer.streamer.budget : MIN_BUDGET,
      textureBytes: viewer.textures.bytes,
      textures: viewer.textures.count,
      loads: state?.loadsInFlight ?? viewer.reading.inFlight,
      position: viewer.stage.camera.position.toArray(),
      toneMapping: viewer.toneMappingName,
    });
    if (viewer.player.isPlaying) clips?.update();
    showLegend(legend, viewer.view, viewer.tint, tiles);
    if (state) timeline.update(viewer.streamer.moments, viewer.streamer.budget, viewer.moment);
    if (tabs.selected !== 'tab-stream') return;
    const eye = viewer.eye();
    const loading = new Set(tiles.flatMap((_, i) => (state && state.loading[i] !== 0 ? [i] : [])));
    stream.update(state, viewer.levels, viewer.distances(), {
      colors: tiles.map((_, i) => viewer.mapColor(i)),
      loading,
      position: eye.position,
      forward: eye.forward,
      halfView: Math.atan(eye.tanX),
      selected: viewer.selection?.tile ?? null,
    });
  };
  byId('side').addEventListener('click', () => {
    isStale = true;
  });
  setInterval(update, 100);
  if (!description.isExported) void watchServer(attempts);
  const { camera, ...given } = address.given;
  go(given);
  void viewer.start(camera).then(() => {
    showScene();
    byId('panel-scene').append(...morphSliders(viewer.morphNames, (name, weight) => viewer.morph(name, weight)));
  });
}

const attempts = new Attempts();
const notice = new Notice(byId('notice'), { onRetry: () => attempts.now() });

/** Opens what is shown; where the server does not give it, again and again. */
async function begin(): Promise<void> {
  const telling = setInterval(() => notice.show(troubleOf(attempts, 0)), 100);
  for (let tries = 0; ; tries++) {
    try {
      const { set, against } = await openSets();
      clearInterval(telling);
      for (const url of attempts.missing.keys()) attempts.end(url);
      run(set, against);
      return;
    } catch (error) {
      if (error instanceof NotThere) await attempts.pause(error.url, error.status, tries);
      else {
        byId('busy').textContent = `The set cannot be shown: ${(error as Error).message}`;
        throw error;
      }
    }
  }
}

await begin();
