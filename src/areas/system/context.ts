import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Deps } from '../deps.ts'
import { killStep } from './processes.ts'

/** The host, as the verbs of the area reach it. */
export interface System {
  readonly run: Host['run']
  readonly machine: Host['machine']
  readonly kill: ReturnType<typeof killStep>
  readonly partsOf: Deps['partsOf']
  /** The version of the panel. */
  readonly version: string
}

/** Binds the area to the host. */
export function openSystem({ host: { run, machine }, settings: { version }, partsOf }: Deps): System {
  return { run, machine, kill: killStep(run), partsOf, version }
}

export interface Context {
  readonly system: System
}

export const { endpoint } = area.of<Context>()
