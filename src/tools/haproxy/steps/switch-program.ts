import type { StepKind } from '../../../core/change.ts'
import { ReloadFailed } from '../../../host/apply/problems.ts'
import type { HaproxyParts } from '../index.ts'
import { servesWhatLies } from '../serves.ts'

export interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'reload'
  /** A file that is to be read by the reload: it is done when HAProxy was started after this one was put in its place. */
  readonly loads?: string
}

/** The step that starts, stops or reloads HAProxy. A start that does not run afterwards is undone. */
export function switchProgram(
  parts: HaproxyParts,
): StepKind<SwitchArgs, { readonly isRunning: boolean }, null> {
  const { layout, tool, program, starter } = parts
  const isRunning = async () => (await program.running()).length > 0
  return {
    name: 'haproxy.switch-program',
    plan: ({ verb }) => ({
      title: `${verb[0]!.toUpperCase()}${verb.slice(1)} HAProxy`,
      ...(verb === 'reload' && { reloads: ['haproxy'] }),
    }),
    observe: async () => ({ isRunning: await isRunning() }),
    act: async ({ verb }) => {
      if (verb !== 'reload') await starter[verb]()
      else await reload()
      return null
    },
    undo: async (_args, before) => {
      if (before.isRunning !== (await isRunning())) await starter[before.isRunning ? 'start' : 'stop']()
    },
    check: async ({ verb, loads }) => {
      const isDone =
        verb === 'reload'
          ? loads === undefined || (await servesWhatLies(parts, loads))
          : (await isRunning()) === (verb === 'start')
      return isDone ? 'wanted' : 'before'
    },
  }

  async function reload(): Promise<void> {
    const message = await tool.check(layout.configPath)
    if (message !== undefined) throw ReloadFailed(message)
    const { outcome, message: refusal } = await tool.activate()
    if (outcome === 'refused') throw ReloadFailed(refusal)
    if (outcome === 'stopped') throw ReloadFailed('HAProxy does not run')
  }
}
