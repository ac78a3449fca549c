// Stands for node:fs in the browser, where there are no files: the kernel gets its module from the page instead. The build
// puts it in its place (viewer.config.mjs).

export function readFileSync(): never {
  throw new Error('no files in the browser');
}
