import type { Step } from '../../core/change.ts'
import { point } from '../../core/point.ts'

/** A dump in the home of its owner. */
interface HomeDump {
  readonly username: string
  /** Relative to the home. */
  readonly file: string
}

/** Where dumps are kept besides the homes of their owners. */
export interface DumpStorage {
  /** Returns the step that uploads a dump and returns its address; undefined while no storage is configured. */
  upload(dump: HomeDump): Promise<Step<{ readonly url: string }> | undefined>
}

/** The storage that an export can upload its dump to. */
export const dumpStorage = point<DumpStorage>('storage of dumps')
