// What the kernel's module exports (assembly/index.ts), for TypeScript.

/** An address in the kernel's memory, in bytes. */
export type Address = number;

/** What the module exports: its functions, with addresses of what assembly/layout.ts names. */
export interface KernelCalls {
  idCountOf(surface: Address): number;
  findPositions(surface: Address): void;
  missingIds(surface: Address, other: Address, to: Address): number;
  sharedIds(surface: Address, other: Address, near: Address): void;
  idsBeside(surface: Address, near: Address, kept: Address): void;
  spreadPoints(surface: Address, count: number, points: Address): void;
  reach(surface: Address, triangle: number): number;
  firstId(surface: Address, triangle: number): number;
  farthest(
    surface: Address,
    points: Address,
    tree: Address,
    near: Address,
    known: number,
    beyond: number,
    found: Address,
  ): number;
  farthestInTriangle(surface: Address, triangle: number, tree: Address, known: number): number;
  buildHierarchy(tree: Address): void;
  buildFans(tree: Address, surface: Address): void;
  facingWithin(tree: Address, points: Address, stride: number, count: number, reach: number, isWithin: Address): void;
  nearestTriangles(tree: Address, points: Address, normals: Address, count: number, nearest: Address): void;
  rowsByNumber(
    numbers: Address,
    length: number,
    wanted: Address,
    count: number,
    starts: Address,
    rows: Address,
  ): number;
  joinFeatures(
    vertexCount: number,
    indices: Address,
    indexCount: number,
    meshOf: Address,
    uv0: Address,
    textured: Address,
    idCount: number,
    starts: Address,
    rows: Address,
    parent: Address,
    numbers: Address,
    featureOf: Address,
  ): number;
  featuresOfTriangles(indices: Address, triangleCount: number, featureOf: Address, to: Address): void;
  addSilhouettes(
    positions: Address,
    indices: Address,
    indexCount: number,
    featureOf: Address,
    directions: Address,
    directionCount: number,
    silhouettes: Address,
  ): void;
  featureBoxes(positions: Address, featureOf: Address, vertexCount: number, count: number, boxes: Address): void;
  spreadOverRows(
    positions: Address,
    indices: Address,
    rows: Address,
    rowCount: number,
    most: number,
    to: Address,
  ): number;
  pointsOutOfReach(
    positions: Address,
    indices: Address,
    rows: Address,
    rowCount: number,
    points: Address,
    count: number,
    reach: number,
    open: Address,
  ): number;
  joinComponents(
    indices: Address,
    triangleCount: number,
    ids: Address,
    idCount: number,
    parent: Address,
    numbers: Address,
    componentOf: Address,
  ): number;
  boundComponents(
    positions: Address,
    indices: Address,
    triangleCount: number,
    locked: Address,
    componentOf: Address,
    count: number,
    boxes: Address,
    isLocked: Address,
  ): void;
  sortByMesh(
    indices: Address,
    indexCount: number,
    meshOf: Address,
    firstVertex: Address,
    meshCount: number,
    ends: Address,
    sorted: Address,
  ): void;
  faceNormals(positions: Address, indices: Address, indexCount: number, normals: Address): void;
  greatestLeans(
    indices: Address,
    indexCount: number,
    normals: Address,
    faces: Address,
    vertexCount: number,
    leans: Address,
  ): void;
  hardPositions(
    normals: Address,
    meshOf: Address,
    starts: Address,
    rows: Address,
    idCount: number,
    edge: number,
    hard: Address,
  ): void;
  leaningCorners(
    indices: Address,
    indexCount: number,
    normals: Address,
    faces: Address,
    least: number,
    corners: Address,
  ): number;
  sumUvAreas(
    positions: Address,
    indices: Address,
    indexCount: number,
    meshOf: Address,
    textured: Address,
    uvs: Address,
    size: number,
    areas: Address,
    uvAreas: Address,
  ): void;
  copyFloats(
    from: Address,
    size: number,
    components: number,
    count: number,
    scale: number,
    to: Address,
    stride: number,
  ): void;
  copyBytes(
    from: Address,
    size: number,
    components: number,
    count: number,
    unit: number,
    to: Address,
    stride: number,
  ): void;
  markSeams(
    ids: Address,
    vertexCount: number,
    meshOf: Address,
    textured: Address,
    values: Address,
    size: number,
    first: Address,
    seam: Address,
  ): void;
  packVertices(
    count: number,
    positions: Address,
    size: number,
    normals: Address,
    tangents: Address,
    uvs: Address,
    colors: Address,
    matrices: Address,
    mirrored: number,
    words: Address,
  ): void;
  project(scene: Address, camera: Address, vertices: Address): void;
  draw(scene: Address, camera: Address, canvas: Address): void;
  decodeTexels(from: Address, count: number, linearOfByte: Address, to: Address): void;
  comparePictures(pair: Address): void;
  chartsOf(charting: Address, texel: number): number;
  sampleChart(sampling: Address, plane: Address, triangles: Address, count: number): void;
  paintPicture(painting: Address, shown: Address): number;
  findBacks(tree: Address, reach: number, normals: Address, isBack: Address): void;
}
