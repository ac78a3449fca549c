// Whether a file system keeps the order of changes of folders when the power fails: then one rename needs no sync to be
// later than another.

import { existsSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { basename } from 'node:path';

/** Types that statfs gives, from linux/magic.h. ext2, ext3 and ext4 have the same one. */
const EXT4 = 0xef53;
const XFS = 0x58465342;

const known = new Map<string, boolean>();

/**
 * Whether changes of folders on the file system of `folder` reach the disk in the order in which they were made: where one
 * journal of the file system takes them all, in order, as those of XFS and ext4 do. A sync of one folder then writes
 * earlier changes of the other folders too. False where that is not known.
 */
export function keepsOrder(folder: string): boolean {
  let keeps = known.get(folder);
  if (keeps === undefined) {
    keeps = process.platform === 'linux' && hasOrderedJournal(folder);
    known.set(folder, keeps);
  }
  return keeps;
}

function hasOrderedJournal(folder: string): boolean {
  try {
    const { type } = statfsSync(folder);
    if (type === XFS) return true;
    if (type !== EXT4) return false;
    // ext4 runs without a journal too. The kernel shows the task that writes it, if there is one.
    const { dev } = statSync(folder);
    const major = (dev >> 8) & 0xfff;
    const minor = (dev & 0xff) | ((dev >> 12) & 0xfff00);
    const device = basename(realpathSync(`/sys/dev/block/${major}:${minor}`));
    return existsSync(`/sys/fs/ext4/${device}/journal_task`);
  } catch {
    return false;
  }
}
