// What the engine makes of materials. Sources, of UntoldEngine: NativeFormatLoader.swift and modelShader.metal.

/** The engine draws a base colour whose rgb are all below this as white. */
export const MIN_BASE_COLOR = 0.001;
