// The page of `untold view`: opens the set, makes the viewer and ties it to toolbar, panels, timeline and status line.

import { AddressBar } from './addressBar.ts';
import { ClipBar } from './panels/clipBar.ts';
import { Counters } from './panels/counters.ts';
import { DropPanel } from './panels/dropPanel.ts';
import { byId } from './panels/element.ts';
import { fillKeys } from './panels/keys.ts';
import { Notice } from './panels/notice.ts';
import { savePicture } from './panels/savePicture.ts';
import { listenForKeys, type Shortcuts } from './panels/shortcuts.ts';
import { Findings, Side } from './panels/side.ts';
import { Timeline } from './panels/timeline.ts';
import { Toolbar } from './panels/toolbar.ts';
import { Attempts } from './reading/attempts.ts';
import { watchServer } from './reading/pulse.ts';
import { NotThere, openSets, type ViewedSet } from './set.ts';
import { troubleOf } from './trouble.ts';
import { Viewer } from './viewer.ts';

declare global {
  /** The viewer, for scripts and tests. */
  var untoldViewer: Viewer | undefined;
}

/** Names the page after what it shows. */
function nameThePage(name: string): void {
  byId('name').textContent = name;
  byId('name').title = name;
  document.title = `${name} · untold view`;
}

/** The address says where the camera is, and what is shown if it is not what was shown first. */
function addressOf(viewer: Viewer, toolbar: Toolbar): AddressBar {
  const [firstShow, firstView] = [viewer.mode, viewer.view];
  const place = () => ({
    camera: [...viewer.stage.camera.position.toArray(), ...viewer.rig.target.toArray()],
    ...(viewer.rig.mode === 'orbit' ? {} : { mode: viewer.rig.mode }),
    ...(viewer.mode === firstShow ? {} : { show: viewer.mode }),
    ...(viewer.view === firstView ? {} : { view: viewer.view }),
  });
  return new AddressBar(place, (given) => toolbar.go(given));
}

/** Gives keys and the buttons beside them what they do. */
function listen(viewer: Viewer, name: string, toolbar: Toolbar, side: Side, clips: ClipBar | null): void {
  const keys = byId<HTMLDialogElement>('keys');
  fillKeys(keys);
  const picture = () => void viewer.stage.picture().then((blob) => savePicture(blob, name));
  byId('picture').addEventListener('click', picture);
  byId('help').addEventListener('click', () => keys.showModal());
  const shortcuts: Shortcuts = {
    f: () => toolbar.frame(viewer.selectedBounds ?? undefined),
    o: () => toolbar.camera('orbit'),
    g: () => toolbar.camera('fly'),
    k: () => toolbar.camera('walk'),
    v: () => toolbar.view(viewer.nextView),
    c: picture,
    p: () => clips?.playOrPause(),
    j: () => clips?.showJoints(),
    ',': () => clips?.nudge(-1),
    '.': () => clips?.nudge(1),
    '/': () => side.search(),
    '?': () => keys.showModal(),
    Escape: () => viewer.select(null),
  };
  const inspectMiddle = () => viewer.pick(0, 0);
  listenForKeys(shortcuts, byId('canvas'), () => keys.open, inspectMiddle);
}

function run(set: ViewedSet, against: ViewedSet | null): void {
  const { description, tiles } = set;
  nameThePage(description.name);
  let isStale = true;
  const touch = () => {
    isStale = true;
  };
  const findings = new Findings(set);
  const viewer = new Viewer(set, byId<HTMLCanvasElement>('canvas'), attempts, {
    onChange: touch,
    onSelect: (selection) => {
      touch();
      findings.select(selection);
    },
    onFault: findings.onFault,
  });
  globalThis.untoldViewer = viewer;
  byId('side').addEventListener('click', touch);

  const timeline = new Timeline(byId('timeline'), (index) => {
    viewer.moment = index;
  });
  timeline.isShown = viewer.mode === 'streamed';
  const toolbar = new Toolbar(viewer, set, against, {
    onShow: (mode, isPicked) => {
      timeline.isShown = mode === 'streamed';
      if (mode === 'streamed' && isPicked) findings.tabs.select('tab-stream');
    },
  });
  const side = new Side(viewer, set, findings.tabs, {
    frame: (bounds) => toolbar.frame(bounds),
    choosePicture: () => drop.choosePicture(),
    simulate: () => {
      toolbar.show('streamed');
      viewer.restart();
    },
  });
  const clips = description.clips.length > 0 ? new ClipBar(byId('clips'), viewer.player) : null;
  listen(viewer, description.name, toolbar, side, clips);
  const address = addressOf(viewer, toolbar);

  const counters = new Counters(viewer, tiles, timeline);
  const update = () => {
    notice.show(troubleOf(attempts, viewer.payloads.unreadable));
    counters.updateBusy();
    if (viewer.hasStarted) address.update();
    if (!isStale && viewer.waiting === 0 && !side.isWaiting) return;
    isStale = false;
    side.updateLists();
    counters.update();
    if (viewer.player.isPlaying) clips?.update();
    side.updateStream();
  };
  setInterval(update, 100);
  if (!description.isExported) void watchServer(attempts);
  const { camera, ...given } = address.given;
  toolbar.go(given);
  void viewer.start(camera).then(async () => {
    side.showScene();
    drop.surround = (name, file) => side.surround(name, file);
    const { environment } = description;
    if (environment !== undefined) await side.surround(environment, null).catch(findings.onFault);
  });
}

const attempts = new Attempts();
// Whatever becomes of what is shown, something else can be opened.
const drop = new DropPanel(byId('drop'));
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
