import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'
import { openSwitches, type Switches } from './switches.ts'
import { type PluginQueries, pluginQueries } from './store.ts'

/** The plugins of the panel, as the verbs of the area reach them. */
export interface Plugins {
  readonly queries: PluginQueries
  readonly switches: Switches
  readonly survey: Deps['survey']
}

/** Binds the area to the store. */
export function openPlugins({ store, survey, log }: Deps): Plugins {
  const queries = pluginQueries(store)
  return { queries, switches: openSwitches(store, queries, log), survey }
}

export interface Context {
  readonly plugins: Plugins
}

export const { endpoint } = area.of<Context>()
