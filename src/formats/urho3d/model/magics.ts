// The first bytes of .mdl files.

export const MODEL_MAGICS = ['UMDL', 'UMD2'] as const;
