// Payloads that are kept from cook to cook. The key holds all that a payload's job works from, with digests in place of what
// the scene counts; the entry holds its result, and the diagnostics of the meshes that went into it.

import { packedDigest } from '../../bytes/pack.ts';
import type { ReportedDiagnostic } from '../../diagnostics/diagnostic.ts';
import type { Authored, FileType } from '../../formats/format.ts';
import type { Bounds } from '../../scene/types.ts';
import type { PlannedObject } from '../../tiling/types.ts';
import type { DrawnIndex, InstanceLimits, JobObject, PayloadResult } from '../../workers/jobs.ts';
import type { KeptMeshMaterial, SceneDigests } from './sceneDigests.ts';
import { payloadShape } from './unitShapes.ts';
import type { KeyInputs, Unit, UnitStore } from './unitStore.ts';

/** What the job of a payload works from. */
export interface PayloadInput {
  readonly name: string;
  readonly fileType: FileType;
  readonly authored: Authored;
  readonly neighbours: readonly Bounds[];
  readonly instances: InstanceLimits | null;
  /** In the order of the plan. */
  readonly objects: readonly PlannedObject[];
}

/** Where the objects of a payload come from. */
export interface ObjectSources {
  readonly jobObject: (node: number) => JobObject;
  /** Of the mesh of this index in the scene. */
  readonly meshDigest: (mesh: number) => string;
  /** The materials that a mesh is drawn with, by index. */
  readonly materialsOf: (mesh: number) => readonly number[];
}

/** What was reported before the payload itself: of its meshes, and of cutting objects, each in order of first use. */
export interface PartReports {
  readonly meshes: readonly (readonly ReportedDiagnostic[])[];
  readonly cuts: readonly (readonly ReportedDiagnostic[])[];
}

interface Entry extends PartReports, Pick<PayloadResult, 'payload' | 'borders' | 'reported'> {
  readonly drawn: readonly (Omit<DrawnIndex, 'surface'> & { readonly surface: KeptMeshMaterial })[];
}

export interface FoundPayload extends PartReports {
  readonly result: PayloadResult;
}

/** The meshes of objects, each once, in order of first use. */
export function meshesOf(objects: readonly PlannedObject[], jobObject: ObjectSources['jobObject']): readonly number[] {
  return [...new Set(objects.map(({ node }) => jobObject(node).mesh))];
}

export class KeptPayloads {
  readonly #store: UnitStore;
  readonly #digests: SceneDigests;

  constructor(store: UnitStore, digests: SceneDigests) {
    this.#store = store;
    this.#digests = digests;
  }

  /** Everything that the payload depends on. Names of key inputs are for people. */
  keyInputs(
    { name, fileType, authored, neighbours, instances, objects }: PayloadInput,
    { jobObject, meshDigest, materialsOf }: ObjectSources,
  ): KeyInputs {
    const digests = this.#digests;
    const found: Record<string, string> = {
      settings: digests.common,
      place: packedDigest([name, fileType, neighbours, instances]),
      'lights and cameras': packedDigest(authored),
    };
    const order: string[] = [];
    for (const { node, piece = null } of objects) {
      const { path, name: ownName, meshName, mesh, world, own = false, coarser = 0 } = jobObject(node);
      const label = `object ${path}`;
      const digest = packedDigest([ownName, meshName, [...world], piece, own, coarser, meshDigest(mesh)]);
      // A piece is one of several of its object.
      found[label] = found[label] === undefined ? digest : packedDigest([found[label], digest]);
      order.push(path);
    }
    for (const mesh of meshesOf(objects, jobObject)) {
      for (const material of materialsOf(mesh)) {
        found[`material ${digests.materialName(material)}`] = digests.material(material);
      }
    }
    found['order of objects'] = packedDigest(order);
    return found;
  }

  /** `meshes` and `cuts`: how many of each the payload has. */
  async find(unit: Unit, meshes: number, cuts: number): Promise<FoundPayload | null> {
    const entry = (await this.#store.find(unit, payloadShape(meshes, cuts))) as Entry | null;
    if (entry === null) return null;
    const drawn: DrawnIndex[] = [];
    for (const { surface, ...facts } of entry.drawn) {
      const index = this.#digests.index(surface);
      if (index === null) return null;
      drawn.push({ ...facts, surface: index });
    }
    const { payload, reported } = entry;
    // A view would hold the file as long as the rows are needed: to the end.
    const borders = entry.borders.slice();
    const result: PayloadResult = { kind: 'payload', payload, drawn, stored: null, borders, prepared: [], reported };
    return { result, meshes: entry.meshes, cuts: entry.cuts };
  }

  put(unit: Unit, { payload, borders, reported, drawn }: PayloadResult, reports: PartReports): void {
    const kept = drawn.map(({ surface, ...facts }) => ({ ...facts, surface: this.#digests.kept(surface) }));
    const entry: Entry = { payload, borders, reported, drawn: kept, ...reports };
    this.#store.put(unit, entry);
  }
}
