import { decidesChange, kindsOf } from '../../core/endpoint.ts'
import type { Guard } from '../../core/guard.ts'
import { actionOf, type Route } from '../routes.ts'

/**
 * Describes an operation in plain English: the declaration's description, the callers it admits, and its
 * effects.
 */
export function descriptionOf(route: Route): string {
  const { endpoint, guard, area } = route
  const { effect, timeoutMs, rateLimit } = endpoint
  return [
    endpoint.description?.replace(/([^.])$/, '$1.'),
    guardText(guard),
    area.plugin && `Answers only while the plugin \`${area.plugin}\` is enabled.`,
    area.feature && `Requires the licensed feature \`${area.feature}\`.`,
    effectTexts[effect],
    effect !== 'reads' && `Recorded in the activity log as \`${actionOf(route)}\`.`,
    decidesChange(effect) && 'With `plan=1` the changes are described and not made.',
    rateLimit && `At most ${rateLimit.perMinute} attempts a minute.`,
    timeoutMs !== undefined && `Ends after at most ${Math.ceil(timeoutMs / 1000)} seconds.`,
    failuresText(route),
  ]
    .filter(Boolean)
    .join(' ')
}

const effectTexts = {
  reads: 'Changes nothing.',
  probes: 'Runs a check and changes nothing on the host.',
  changes: 'Changes the host or the panel; a failed change is undone as a whole.',
  destroys: 'Removes what it names; not all of it can be restored.',
} as const

function guardText(guard: Guard): string {
  if (guard.kind === 'superuser') return 'Requires a superuser.'
  if (guard.kind === 'permission') return `Requires the permission \`${guard.slug}\`.`
  if (guard.kind === 'open') return `Requires no credential (${guard.reason}).`
  if (guard.kind === 'socket-token')
    return `Requires a socket token for the purpose \`${guard.purpose}\`, which the upgrade consumes.`
  if (guard.kind === 'key')
    return `Requires the key in the header \`${guard.header}\`${guard.orSuperuser ? ', or a superuser' : ''}.`
  return 'Requires a signed-in user.'
}

function failuresText({ endpoint: { throws = {} } }: Route): string {
  const codes = Object.entries(throws).map(([code, failure]) => {
    const { kinds, status } = kindsOf(failure)
    return `\`${code}\` (${[...new Set(kinds.map((kind) => status ?? kind.status))].join(', ')})`
  })
  return codes.length === 0 ? '' : `Fails with ${codes.join(', ')}.`
}
