import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Deps } from '../deps.ts'
import { killStep } from './processes.ts'

/** The processes of the host, as the verbs of the area reach them. */
export interface ProcessesArea {
  readonly run: Host['run']
  readonly kill: ReturnType<typeof killStep>
}

/** Binds the area to the host. */
export function openProcessesArea({ host: { run } }: Deps): ProcessesArea {
  return { run, kill: killStep(run) }
}

export interface Context {
  readonly processes: ProcessesArea
}

export const { endpoint } = area.of<Context>()
