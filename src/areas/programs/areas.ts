import type { Caller } from '../../core/caller.ts'
import { admits, refusal } from '../../core/guard.ts'
import type { AreaState } from '../deps.ts'
import { isPluginEnabled } from '../plugins/index.ts'
import type { Programs } from './context.ts'

/** Lists every area as the menu shows it to this caller. */
export async function listAreas({ survey, plugins }: Programs, caller: Caller) {
  const isEnabled = ({ plugin }: AreaState) => plugin === null || isPluginEnabled(plugins, plugin)
  return (await survey()).map((state) => entryOf(state, caller, isEnabled(state)))
}

function entryOf(state: AreaState, caller: Caller, isEnabled: boolean) {
  const { name, title, menu, guard, programs } = state
  const reason = isEnabled ? state.reason : 'The plugin is disabled'
  const allowed = admits(guard, caller)
  return {
    name,
    title,
    group: menu?.group ?? null,
    path: menu?.path ?? null,
    order: menu?.order ?? 0,
    allowed,
    denial: allowed ? null : refusal(guard),
    available: reason === null,
    reason,
    programs: programs.map(({ program, ...rest }) => ({ name: program, ...rest })),
  }
}
