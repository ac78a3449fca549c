// Names that mean something to the engine.

/** Objects whose name begins so are never merged: the engine keeps them pickable one by one. */
export const NEVER_MERGE = /^NM_/;

/** Files of clips, which lie in this folder beside their model by convention (UsingAnimationSystem.md). */
export const CLIP_FOLDER = 'Animations';
export const CLIP_EXTENSION = '.untoldanim';
