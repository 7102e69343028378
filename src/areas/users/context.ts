import { area } from '../../core/area.ts'
import type { Users } from './open.ts'

export interface Context {
  readonly users: Users
}

export const { endpoint } = area.of<Context>()
