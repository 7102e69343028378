import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../core/endpoint.ts'
import { isDiskProblem } from '../../store/disk-failures.ts'
import type { Store } from '../../store/store.ts'
import type { PluginQueries } from './store.ts'

/** The plugins that are switched off, cached in memory because every guarded request needs them. */
export interface Switches {
  isEnabled(name: string): boolean
}

const retryMs = 1000

/** Reads the disabled plugins now and after each change, again where the store cannot be read. All are off until it was read once. */
export function openSwitches(
  store: Pick<Store, 'onWritten'>,
  queries: Pick<PluginQueries, 'disabled'>,
  log: Log,
): Switches {
  let disabled: ReadonlySet<string> | undefined
  const load = async (): Promise<void> => void (disabled = new Set(await queries.disabled()))
  const reload = async (): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await load()
      } catch (error) {
        if (attempt === 1) log.error({ err: error }, 'reading the plugins failed')
        if (!isDiskProblem(error)) return
        await delay(retryMs, undefined, { ref: false })
      }
    }
  }
  void reload()
  store.onWritten(['plugins'], reload)
  return { isEnabled: (name) => disabled?.has(name) === false }
}
