export interface KernelSource {
  readonly path: string;
  readonly content: Uint8Array;
}

export interface KernelFunction {
  readonly path: string;
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  readonly result: string;
}

export function kernelSources(): readonly KernelSource[];
export function kernelFunctions(sources: readonly KernelSource[]): readonly KernelFunction[];
export function entryOf(functions: readonly KernelFunction[]): string;
export function callsOf(functions: readonly KernelFunction[]): string;
