import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock } from '../../core/lock.ts'
import { success } from '../../core/reply.ts'
import type { AreaState } from '../deps.ts'
import type { Plugins } from './context.ts'
import { catalog, type Plugin, type PluginName } from './model.ts'
import { pluginSwitches } from './store.ts'

const pluginLock = lock('plugin')

/** True unless the plugin is switched off. */
export function isPluginEnabled({ switches }: Plugins, name: string): boolean {
  return switches.isEnabled(name)
}

/** Lists the plugins with the state of the programs that their areas need. */
export async function listPlugins(on: Plugins): Promise<Plugin[]> {
  const areas = await on.survey()
  return catalog.map((entry) =>
    showPlugin(
      on,
      entry,
      areas.find(({ plugin }) => plugin === entry.name),
    ),
  )
}

/** Enables or disables a plugin. */
export async function switchPlugin(
  { queries }: Plugins,
  name: PluginName,
  enabled: boolean,
  { now }: Pick<Deciding, 'now'>,
): Promise<Change<{ success: true }>> {
  const values = { enabled, updated_at: now.toISOString() }
  const row = (await queries.known(name))
    ? pluginSwitches.updateWhere({ name }, values)
    : pluginSwitches.insert(pluginSwitches.row({ name, ...values }))
  return change({
    summary: `${enabled ? 'Enable' : 'Disable'} plugin ${name}`,
    locks: [pluginLock(name)],
    rows: [row],
    reply: success,
  })
}

function showPlugin(
  on: Plugins,
  { name, title, description }: (typeof catalog)[number],
  area: AreaState | undefined,
): Plugin {
  return {
    name,
    title,
    description,
    enabled: isPluginEnabled(on, name),
    planned: area === undefined,
    installed: area !== undefined && area.programs.every(({ present }) => present),
    version: area?.programs[0]?.version ?? null,
  }
}
