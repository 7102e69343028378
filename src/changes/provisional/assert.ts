import type { Change } from '../../core/change.ts'

const longestSeconds = 3600

/** Throws unless a provisional change can be undone without the panel. */
export function assertProvisional(
  { provisional, steps }: Change,
  { carrier }: { readonly carrier?: unknown } = {},
): void {
  if (provisional === undefined) return
  if (!Number.isInteger(provisional) || provisional < 1 || provisional > longestSeconds)
    throw new Error(`a change is provisional for 1 to ${longestSeconds} seconds, not ${provisional}`)
  if (carrier !== undefined) throw new Error('a change that a job carries cannot be provisional')
  if (steps.length === 0) throw new Error('a provisional change has no steps')
  const unarmed = steps.find(({ kind }) => kind.armed === undefined)
  if (unarmed !== undefined)
    throw new Error(
      `the step kind ${unarmed.kind.name} of a provisional change has no undo without the panel`,
    )
}
