import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Deps } from '../deps.ts'
import { type Websites, websites } from '../websites/index.ts'
import { killStep } from './processes.ts'

/** The host, as the verbs of the area reach it. */
export interface System {
  readonly run: Host['run']
  readonly machine: Host['machine']
  readonly kill: ReturnType<typeof killStep>
  readonly websites: Websites
  /** The version of the panel. */
  readonly version: string
}

/** Binds the area to the host. */
export function openSystem({ host: { run, machine }, settings: { version }, use }: Deps): System {
  return { run, machine, kill: killStep(run), websites: use(websites).websites, version }
}

export interface Context {
  readonly system: System
}

export const { endpoint } = area.of<Context>()
