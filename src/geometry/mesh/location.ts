// The position in the source at which a verb reports diagnostics.

/** The source file and the element in it that a diagnostic names. */
export interface SourceLocation {
  readonly file: string;
  readonly path: string;
}
