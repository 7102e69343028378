import { area } from '../../../core/area.ts'
import type { Store } from '../../../store/store.ts'

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly boxes: { readonly id: number; readonly label: string; readonly revision: number }
  }
}

/** The context of the sample area's endpoints. */
export interface Context {
  readonly boxes: {
    readonly store: Store
    readonly uploads: string[]
    readonly signals: AbortSignal[]
    closed: number
    /** The promise that the sample's work waits for. */
    readonly go: PromiseWithResolvers<void>
  }
}

/** The declaring function of the sample area. */
export const { endpoint, work } = area.of<Context>()
