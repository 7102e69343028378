import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'

/** What the areas contribute, as the verbs of the area reach it. */
export type Dashboard = Pick<Deps, 'partsOf' | 'log'>

/** Binds the area to the contributions of the others. */
export const openDashboard = ({ partsOf, log }: Deps): Dashboard => ({ partsOf, log })

export interface Context {
  readonly dashboard: Dashboard
}

export const { endpoint } = area.of<Context>()
