import { area } from '../../core/area.ts'
import type { Program } from '../../tools/program.ts'
import type { ProgramSteps } from '../../tools/program-steps.ts'
import type { Deps } from '../deps.ts'
import { type Plugins, plugins } from '../plugins/index.ts'
import { type System, system } from '../system/index.ts'

/** The programs that all other areas report, as the verbs of the area reach them. */
export interface Programs extends Pick<Deps, 'survey'> {
  readonly programs: readonly Program[]
  readonly programSteps: ProgramSteps
  readonly plugins: Plugins
  readonly system: System
}

/** Binds the area to the programs of the host. */
export function openPrograms({ survey, tools: { programs, programSteps }, use }: Deps): Programs {
  const bindings = { plugins: use(plugins).plugins, system: use(system).system }
  return { survey, programs, programSteps, ...bindings }
}

export interface Context {
  readonly programs: Programs
}

export const { endpoint, work } = area.of<Context>()
