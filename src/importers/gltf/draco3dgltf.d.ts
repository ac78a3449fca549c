// draco3dgltf ships no types: what is used of it. The decoder goes to gltf-transform as it is.

declare module 'draco3dgltf' {
  interface ModuleOptions {
    print?(line: string): void;
    printErr?(line: string): void;
  }
  const draco: {
    createDecoderModule(options?: ModuleOptions): Promise<object>;
    createEncoderModule(options?: ModuleOptions): Promise<object>;
  };
  export default draco;
}
