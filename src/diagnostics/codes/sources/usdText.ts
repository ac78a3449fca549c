// USD text layers: codes UC1500-UC1599.

import type { CodeEntry } from '../../entry.ts';

export const USD_TEXT = {
  UC1500: {
    severity: 'error',
    title: 'not a USD text layer',
    cause: 'A text layer starts with `#usda ` and a version number. This file starts with something else.',
    remedy: 'export the file again as USD text or crate, or give the file that was meant',
  },
  UC1501: {
    severity: 'error',
    title: 'syntax error in USD text',
    cause: 'The text does not follow the grammar of USD text files at the line and column that the message names.',
    remedy: 'correct the text there, or export the file again',
  },
  UC1502: {
    severity: 'error',
    title: 'USD text ends too early',
    cause: 'The file ends inside a prim, a list, a string or another part that is still open: it is cut off.',
    remedy: 'export or download the file again',
  },
  UC1503: {
    severity: 'error',
    title: 'value does not fit its type',
    cause: 'An attribute or metadata field holds a value that its declared type cannot hold.',
    remedy: 'correct the value or the type before the name',
  },
  UC1504: {
    severity: 'error',
    title: 'invalid name or path',
    cause: 'A prim, property or variant name, or a path, is spelled in a way that USD does not allow.',
    remedy: 'use letters, digits and underscores in names, and paths such as </World/House>',
  },
  UC1505: {
    severity: 'error',
    title: 'declared twice in contradiction',
    cause: 'A prim is declared twice under one parent, or one property is declared with two types or variabilities.',
    remedy: 'rename one of the two, or make their declarations agree',
  },
  UC1506: {
    severity: 'error',
    exit: 5,
    title: 'USD text nests too deep',
    cause:
      'Dictionaries are nested, or prim paths grow, beyond what any real scene needs; reading on could exhaust memory.',
    remedy: 'flatten the hierarchy or split the layer',
  },
  UC1520: {
    severity: 'warning',
    title: 'USD text that OpenUSD refuses',
    cause: 'The text is clear, but OpenUSD does not accept this spelling; other programs may not open the file.',
    remedy: 'save the file again with a current exporter',
  },
  UC1521: {
    severity: 'warning',
    title: 'unknown version of USD text',
    cause: 'The first line declares a version other than 1.0; the file may use features that are not known here.',
    remedy: 'check the result, or export the file as version 1.0',
  },
  UC1522: {
    severity: 'warning',
    title: 'spline left out',
    cause: 'The attribute is animated by a spline. Scenes are cooked at rest: its default value is used instead.',
    remedy: 'give the attribute a default value for its resting state',
  },
  UC1523: {
    severity: 'warning',
    title: 'legacy relationship data left out',
    cause: 'Relationships of very old files may hold target data, defaults or time samples, which mean nothing today.',
    remedy: 'write the targets as `rel name = <path>`',
  },
  UC1524: {
    severity: 'warning',
    title: 'variant selection in a target path ignored',
    cause: 'Connections and relationship targets cannot point into variants; the selection was taken out of the path.',
    remedy: 'write the path without {set=variant}',
  },
  UC1525: {
    severity: 'warning',
    title: 'value of unknown type left out',
    cause: 'An attribute or dictionary entry has a value type that is not part of USD as known here.',
    remedy: 'use one of the types of USD, such as float3 or token',
  },
  UC1526: {
    severity: 'warning',
    title: 'text is not valid UTF-8',
    cause: 'A string or path holds bytes that are not UTF-8; they were replaced, so names of files may not match.',
    remedy: 'save the file as UTF-8',
  },
} as const satisfies Record<string, CodeEntry>;
