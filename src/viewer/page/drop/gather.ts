// The files that are dropped or chosen, with their paths below what was dropped.

export interface GivenFile {
  /** With `/`. */
  readonly path: string;
  readonly file: File;
}

/** Systems and editors keep files of their own under such names. */
const isHidden = (name: string): boolean => name.startsWith('.');

/** Browsers give a part of the entries at a time, and none at the end. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function filesOf(entry: FileSystemEntry, above: string): Promise<GivenFile[]> {
  if (isHidden(entry.name)) return [];
  const path = above + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ path, file }];
  }
  const found: GivenFile[] = [];
  for (const one of await entriesIn(entry as FileSystemDirectoryEntry)) found.push(...(await filesOf(one, `${path}/`)));
  return found;
}

/** Of a drop. What it holds is there while the event is handled alone, so that it is taken before anything is awaited. */
export async function droppedFiles({ items }: DataTransfer): Promise<GivenFile[]> {
  const dropped = [...items].flatMap((item) => {
    const entry = item.webkitGetAsEntry();
    // What is on no disk, as a picture of another page, has no entry.
    const file = entry ? null : item.getAsFile();
    return entry ? [() => filesOf(entry, '')] : file ? [async () => [{ path: file.name, file }]] : [];
  });
  return (await Promise.all(dropped.map((read) => read()))).flat();
}

/** Of an input: one that takes folders names each file with its folders. */
export function chosenFiles(input: HTMLInputElement): GivenFile[] {
  const files = [...(input.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return files.filter(({ path }) => !path.split('/').some(isHidden));
}
