import type { Service } from '../model.ts'

/** The states that the list can be narrowed to. */
export const serviceStates = ['running', 'stopped', 'failed'] as const

/** The state of a service in one word. */
export function stateOf({
  active,
  state,
}: Pick<Service, 'active' | 'state'>): (typeof serviceStates)[number] {
  if (state.startsWith('failed')) return 'failed'
  return active ? 'running' : 'stopped'
}
