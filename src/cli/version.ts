// The package's version, which the bundler puts in.

declare const __UNTOLD_VERSION__: string | undefined;

export const VERSION = typeof __UNTOLD_VERSION__ === 'string' ? __UNTOLD_VERSION__ : 'unbundled';
