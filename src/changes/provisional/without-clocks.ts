import type { Clocks } from './clock.ts'

/** The clocks of an executor that has none, such as one over a store in memory: a provisional change is refused. */
export const withoutClocks: Clocks = {
  start: async () => {
    throw new Error('this panel has no clocks for provisional changes')
  },
  arm: async () => false,
  disarm: async () => false,
  state: async () => undefined,
  isRunning: async () => false,
  remove: async () => {},
  names: async () => [],
}
