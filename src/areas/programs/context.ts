import type { Caller } from '../../core/caller.ts'
import { area } from '../../core/area.ts'
import { admits } from '../../core/guard.ts'
import type { JobRun } from '../../core/job.ts'
import { InstallFailed } from '../../host/packages.ts'
import type { AreaState, Deps } from '../deps.ts'
import { type Plugins, plugins } from '../plugins/index.ts'
import { websites } from '../websites/index.ts'
import { serveAgain } from './serve-again.ts'

/** The user id in records of actions without a user. */
const commandLine = 0

interface Installation {
  readonly name: string
  /** The id of the user who requested the installation. */
  readonly by?: number
}

/** Opens the area on the programs that all other areas report. */
export function openPrograms({ survey, forgetSurvey, tools, executor, use }: Deps) {
  const switches: Plugins = use(plugins).plugins
  return {
    /** Returns every area as the menu shows it to this caller. */
    areas: async (caller: Caller) =>
      (await survey()).map((state) =>
        entryOf(state, caller, state.plugin === null || switches.isEnabled(state.plugin)),
      ),
    programs: () => Promise.all(tools.programs.map((program) => program.detect())),
    /** Installs a program with the host's package manager and sets it up for the panel. */
    install: async ({ name, by = commandLine }: Installation, run: JobRun<unknown>): Promise<void> => {
      const program = tools.programs.find((each) => each.name === name)
      if (program === undefined) throw InstallFailed(`${name} is not a program that the panel installs`)
      await program.install({
        signal: run.signal,
        onProgress: (percent, message) => void run.progress(percent, message),
      })
      if (name === 'nginx') await serveAgain({ executor, websites: use(websites).websites }, by, run)
      forgetSurvey()
    },
  }
}

function entryOf(state: AreaState, caller: Caller, isEnabled: boolean) {
  const { name, title, menu, guard, programs } = state
  const reason = isEnabled ? state.reason : 'The plugin is disabled'
  return {
    name,
    title,
    group: menu?.group ?? null,
    path: menu?.path ?? null,
    icon: menu?.icon ?? null,
    order: menu?.order ?? 0,
    allowed: admits(guard, caller),
    available: reason === null,
    reason,
    programs: programs.map(({ program, ...rest }) => ({ name: program, ...rest })),
  }
}

export interface Context {
  readonly programs: ReturnType<typeof openPrograms>
}

export const { endpoint, job } = area.of<Context>()
