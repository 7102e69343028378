import { area } from '../../core/area.ts'
import type { Program } from '../../tools/program.ts'
import type { Deps } from '../deps.ts'
import { type Plugins, plugins } from '../plugins/index.ts'
import { type Websites, websites } from '../websites/index.ts'

/** The programs that all other areas report, as the verbs of the area reach them. */
export interface Programs extends Pick<Deps, 'survey' | 'forgetSurvey' | 'executor'> {
  readonly programs: readonly Program[]
  readonly plugins: Plugins
  readonly websites: Websites
}

/** Binds the area to the programs of the host. */
export function openPrograms({ survey, forgetSurvey, tools: { programs }, executor, use }: Deps): Programs {
  const [switches, sites] = [use(plugins).plugins, use(websites).websites]
  return { survey, forgetSurvey, executor, programs, plugins: switches, websites: sites }
}

export interface Context {
  readonly programs: Programs
}

export const { endpoint, job } = area.of<Context>()
