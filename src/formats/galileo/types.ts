// A Galileo mesh as values. Space as the reference implementation has it: right-handed, +Z up, V down.

/** Box of a mesh or group: its centre, and half of its size. */
export interface GalileoBounds {
  readonly center: readonly [number, number, number];
  readonly extents: readonly [number, number, number];
}

/** What one draw call draws. Arrays hold one element after the other. */
export interface GalileoGroup {
  /** Three for each triangle; they count from the group's own vertices. */
  readonly indices: Uint32Array;
  /** Three numbers a vertex. */
  readonly positions: Float32Array;
  /** Three numbers a vertex, of length 1. */
  readonly normals: Float32Array;
  /** Four numbers a vertex: a direction of length 1, and the sign of the bitangent. */
  readonly tangents: Float32Array;
  /** Channels of two numbers a vertex; 65535 is 1. */
  readonly texcoords: readonly Uint16Array[];
  /** Channels of four numbers a vertex; 255 is 1. */
  readonly colors: readonly Uint8Array[];
  /** Channels of four numbers a vertex. The format has no skeleton that they could refer to. */
  readonly joints: readonly Uint16Array[];
  /** As many channels as joints; those of a vertex add up to 65535. */
  readonly weights: readonly Uint16Array[];
  readonly extensionChannels: number;
  /** Bytes of all extension channels; only who knows the extension knows their layout. */
  readonly extensionAttributes: Uint8Array;
  /** Index of the first extension of the group's chain; null: there is none. */
  readonly firstExtension: number | null;
}

export interface GalileoExtension {
  /** 1 to 16 letters of ASCII. */
  readonly name: string;
  readonly version: number;
  readonly data: Uint8Array;
  /** Index of the next extension of the chain; null: this is the last. */
  readonly next: number | null;
}

export interface GalileoMesh {
  /** 16 bytes in the order of RFC 4122. */
  readonly uuid: Uint8Array;
  readonly groups: readonly GalileoGroup[];
  readonly extensions: readonly GalileoExtension[];
  /** Index of the first extension of the mesh's chain; null: there is none. */
  readonly firstExtension: number | null;
}
