// The map of a plan as an XML parser sees it.

import { readFileSync } from 'node:fs';
import { SaxesParser } from 'saxes';

export interface PlanMap {
  /** Of the outermost element. */
  readonly root: string;
  /** The first line of each tooltip: what a tile is called. */
  readonly tiles: readonly string[];
  readonly elements: number;
}

/** Throws where the file is not well-formed. */
export function readPlanMap(file: string): PlanMap {
  const parser = new SaxesParser();
  const open: string[] = [];
  const tiles: string[] = [];
  let root = '';
  let elements = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    if (open.length === 0) root = name;
    open.push(name);
    elements++;
  });
  parser.on('text', (text) => {
    if (open.at(-1) === 'title') tiles.push(text.split('\n')[0]);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(readFileSync(file, 'utf8')).close();
  return { root, tiles, elements };
}
