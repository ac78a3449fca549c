// The package's version, as manifests state it. The bundler puts it in. cli/version.ts has it too: `untold --version` loads
// nothing else.

declare const __UNTOLD_VERSION__: string | undefined;

export const VERSION = typeof __UNTOLD_VERSION__ === 'string' ? __UNTOLD_VERSION__ : 'unbundled';
