import type { StepKind } from '../../../core/change.ts'
import { unless } from '../../../core/problem.ts'
import type { SetUpScript } from '../catalog/set-up-scripts.ts'
import { SetUpFailed } from '../problems.ts'

export interface SetUpArgs {
  readonly username: string
  readonly domain: string
  /** The name of the application for people. */
  readonly name: string
  readonly script: SetUpScript
  readonly version: string
  readonly title: string
  readonly admin: string
  readonly email: string
  readonly password: string
}

export type SetUpMode = 'set_up' | 'check' | 'undo'

/** Runs the script of an application under its owner's uid; throws SetUpFailed with its message. */
export type RunScript = (
  args: SetUpArgs,
  mode: SetUpMode,
  signal?: AbortSignal,
) => Promise<{ readonly is_set_up: boolean }>

/** The step that sets an application up: its tables or files, and its first administrator. */
export function setUpApplication(runScript: RunScript): StepKind<SetUpArgs, null, null> {
  return {
    name: 'applications.set-up',
    plan: ({ name, admin, email, username }) => ({
      title: `Set ${name} up, with the administrator ${admin} (${email})`,
      details: [`Runs a script of PHP as ${username}, without the network`],
    }),
    observe: async () => null,
    act: async (args, { signal, progress }) => {
      if ((await unless([SetUpFailed], runScript(args, 'check', signal)))?.is_set_up === true) return null
      progress(null, `Setting ${args.name} up`)
      await runScript(args, 'set_up', signal)
      return null
    },
    // what a script that does not run leaves goes with the database and the folder
    undo: async (args) => void (await unless([SetUpFailed], runScript(args, 'undo'))),
    check: async (args) => {
      const found = await unless([SetUpFailed], runScript(args, 'check'))
      if (found === undefined) return 'other'
      return found.is_set_up ? 'wanted' : 'before'
    },
    notUndone: 'the application may have content by now: delete its website instead',
  }
}
