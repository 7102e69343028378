import type { Log } from '../../core/endpoint.ts'
import type { Store } from '../../store/store.ts'
import type { PluginQueries } from './store.ts'

/** The plugins that are switched off, cached in memory because every guarded request needs them. */
export interface Switches {
  isEnabled(name: string): boolean
}

/** Reads the disabled plugins now and after each change. */
export function openSwitches(store: Store, queries: PluginQueries, log: Log): Switches {
  let disabled: ReadonlySet<string> = new Set()
  const load = async () => void (disabled = new Set(await queries.disabled()))
  const reload = () => load().catch((error) => log.error({ err: error }, 'reading the plugins failed'))
  void reload()
  store.onWritten(['plugins'], reload)
  return { isEnabled: (name) => !disabled.has(name) }
}
