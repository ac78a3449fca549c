export function compileCacheFolder(where: {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}): string | null;
export function useCompileCache(): void;
