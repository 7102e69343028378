import { area } from '../../../core/area.ts'
import type { Store } from '../../../store/store.ts'

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly boxes: { readonly id: number; readonly label: string; readonly revision: number }
  }
}

/** What the endpoints of the sample area are handed. */
export interface Context {
  readonly boxes: {
    readonly store: Store
    readonly uploads: string[]
    readonly signals: AbortSignal[]
    closed: number
    /** What the work of the sample waits for. */
    readonly go: PromiseWithResolvers<void>
  }
}

/** The declaring function of the sample area. */
export const { endpoint, work } = area.of<Context>()
