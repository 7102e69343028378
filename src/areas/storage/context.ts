import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'

/** The volumes of the host, as the verbs of the area reach them. */
export type VolumesOfHost = Pick<Deps['tools'], 'lvm'>

/** Binds the area to LVM. */
export const openStorage = ({ tools: { lvm } }: Deps): VolumesOfHost => ({ lvm })

export interface Context {
  readonly storage: VolumesOfHost
}

export const { endpoint } = area.of<Context>()
