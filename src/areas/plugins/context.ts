import { area } from '../../core/area.ts'
import { type Change, change } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { insertRow, updateRow } from '../../store/rows.ts'
import type { Deps } from '../deps.ts'
import { catalog, type Plugin, type PluginName } from './model.ts'
import { pluginQueries } from './store.ts'
import { lock } from '../../core/lock.ts'

const pluginLock = lock('plugin')

/**
 * Opens the area on the store. The disabled plugins are cached in memory because every guarded request needs
 * them.
 */
export function openPlugins({ store, survey, log }: Deps) {
  const queries = pluginQueries(store)
  let disabled: ReadonlySet<string> = new Set()
  const load = async () => void (disabled = new Set(await queries.disabled()))
  const reload = () => void load().catch((error) => log.error({ err: error }, 'reading the plugins failed'))
  reload()
  store.onWritten(['plugins'], reload)
  return {
    isEnabled: (name: string): boolean => !disabled.has(name),
    list: async (): Promise<Plugin[]> => {
      const areas = await survey()
      return catalog.map(({ name, title, description }) => {
        const area = areas.find(({ plugin }) => plugin === name)
        const program = area?.programs[0]
        const installed = area !== undefined && area.programs.every(({ present }) => present)
        return {
          name,
          title,
          description,
          enabled: !disabled.has(name),
          installed,
          version: program?.version ?? null,
        }
      })
    },
    switch: async (name: PluginName, isEnabled: boolean, now: Date): Promise<Change<{ success: true }>> => {
      const values = { enabled: Number(isEnabled), updated_at: now.toISOString() }
      const row = (await queries.known(name))
        ? updateRow('plugins', { name }, values)
        : insertRow('plugins', { name, ...values })
      return change({
        summary: `${isEnabled ? 'Enable' : 'Disable'} plugin ${name}`,
        locks: [pluginLock(name)],
        rows: [row],
        reply: success,
      })
    },
  }
}

export type Plugins = ReturnType<typeof openPlugins>

export interface Context {
  readonly plugins: Plugins
}

export const { endpoint } = area.of<Context>()
