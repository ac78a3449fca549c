// draco3dgltf ships no types: these are of the functions that decoding uses, and of the encoder that the tests use.

declare module 'draco3dgltf' {
  /** A C++ object in the module's memory, freed by `destroy`. Address 0 is null. */
  export interface DracoObject {
    readonly ptr: number;
  }
  export interface DecoderBuffer extends DracoObject {
    /** Copies the bytes into the module's memory. */
    Init(bytes: Uint8Array, length: number): void;
  }
  export interface Status extends DracoObject {
    ok(): boolean;
    error_msg(): string;
  }
  export interface Attribute extends DracoObject {
    /** A DataType of Draco, such as `DT_FLOAT32`. */
    data_type(): number;
    num_components(): number;
  }
  export interface Mesh extends DracoObject {
    num_faces(): number;
    num_points(): number;
  }
  export interface Decoder extends DracoObject {
    DecodeBufferToMesh(buffer: DecoderBuffer, mesh: Mesh): Status;
    GetAttributeByUniqueId(mesh: Mesh, id: number): Attribute;
    /** Writes the values of all points, converted to `dataType`, to `address`; false when one cannot be converted. */
    GetAttributeDataArrayForAllPoints(
      mesh: Mesh,
      attribute: Attribute,
      dataType: number,
      byteLength: number,
      address: number,
    ): boolean;
    GetTrianglesUInt32Array(mesh: Mesh, byteLength: number, address: number): boolean;
  }
  export interface DecoderModule {
    readonly Decoder: new () => Decoder;
    readonly DecoderBuffer: new () => DecoderBuffer;
    readonly Mesh: new () => Mesh;
    readonly DT_INT8: number;
    readonly DT_UINT8: number;
    readonly DT_INT16: number;
    readonly DT_UINT16: number;
    readonly DT_UINT32: number;
    readonly DT_FLOAT32: number;
    readonly DT_FLOAT64: number;
    /** The module's memory; another array after it has grown. */
    readonly HEAPU8: Uint8Array;
    /** An address, 0 when there is no memory. */
    _malloc(byteLength: number): number;
    _free(address: number): void;
    destroy(object: DracoObject): void;
  }
  export interface ModuleOptions {
    print?(line: string): void;
    printErr?(line: string): void;
    /** Makes an instance of the module's code with `imports` and hands it to `done`, at once or later. */
    instantiateWasm?(imports: object, done: (instance: object) => void): object;
  }
  const draco: {
    createDecoderModule(options?: ModuleOptions): Promise<DecoderModule>;
    createEncoderModule(options?: ModuleOptions): Promise<object>;
  };
  export default draco;
}
