import { area } from '../../core/area.ts'

export interface Context {
  readonly version: string
}

export const { endpoint } = area.of<Context>()
