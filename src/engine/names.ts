// Names that mean something to the engine.

/** Objects whose name begins so are never merged: the engine keeps them pickable one by one. */
export const NEVER_MERGE = /^NM_/;
