import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Deps } from '../deps.ts'
import { setServerName } from './set-server-name.ts'
import { setTimeZone } from './set-time-zone.ts'

/** The name and the time zone of the host, as the verbs of the area reach them. */
export interface MachineArea {
  readonly files: Host['files']
  readonly run: Host['run']
  readonly kernelName: () => string
  readonly setName: ReturnType<typeof setServerName>
  readonly setZone: ReturnType<typeof setTimeZone>
}

/** Binds the area to the host. */
export function openMachineArea({ host: { files, run, machine } }: Deps): MachineArea {
  const kernelName = () => machine.kernel().hostname
  return {
    files,
    run,
    kernelName,
    setName: setServerName({ files, run }),
    setZone: setTimeZone({ files, run }),
  }
}

export interface Context {
  readonly machine: MachineArea
}

export const { endpoint } = area.of<Context>()
