// Where in the source a verb reports what it finds.

/** The source file and the element in it that a diagnostic names. */
export interface SourceLocation {
  readonly file: string;
  readonly path: string;
}
