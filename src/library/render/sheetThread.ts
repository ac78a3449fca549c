// What a thread does that compares levels: opens the set for itself, and answers one task after the other.

import { parentPort, workerData } from 'node:worker_threads';
import { Diagnostics, SourceError } from '../../diagnostics/diagnostic.ts';
import { takeThreadData } from '../../workers/threadStart.ts';
import { LevelComparison } from './compareLevels.ts';
import { openDrawing } from './drawing.ts';
import type { SheetAnswer, SheetTask, SheetThreadData } from './sheetMessages.ts';

const port = parentPort;
if (port === null) throw new Error('this module runs in a worker thread');

const { path, file, cwd, weights } = takeThreadData(workerData as SheetThreadData);
const diagnostics = new Diagnostics();
const found = new Set<string>();
const opened = openDrawing(path, file, cwd, diagnostics, { weights, found }, undefined, false);
const comparing = opened.then((drawing) => ({ ...drawing, comparison: new LevelComparison(drawing.set, drawing) }));
// Tasks report a failure. Attach a handler now so that Node does not report an unhandled rejection.
comparing.catch(() => {});

async function answer(task: SheetTask): Promise<SheetAnswer> {
  try {
    const { set, comparison } = await comparing;
    const tile = set.tiles[task.tile];
    const looked =
      task.kind === 'look' ? (await comparison.look(tile, task.look)).map(({ tile: _, ...one }) => one) : [];
    const pictures =
      task.kind === 'pictures' ? await comparison.pictures(task.looked.map((one) => ({ ...one, tile }))) : [];
    return { looked, pictures, diagnostics: diagnostics.list, found };
  } catch (error) {
    return error instanceof SourceError ? { errors: error.diagnostics } : { bug: error };
  }
}

port.on('message', (task: SheetTask) => void answer(task).then((done) => port.postMessage(done)));
