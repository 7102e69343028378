import { domainToASCII } from 'node:url'
import type { ProblemKind } from '../../core/problem.ts'
import { isAddress } from '../../host/fetch/index.ts'
import { RecordInvalid, ZoneInvalid } from './problems.ts'

const longestLabel = 63
/** Of a name on the wire, where each label has its length before it (RFC 1035, 2.3.4). */
const longestName = 255

/** Returns a zone's name in lower case and ASCII, without a final dot; refuses what is none. */
export function zoneName(typed: string, field = 'name'): string {
  const name = checked(typed.replace(/\.$/, ''), { field, refusal: ZoneInvalid })
  if (name.includes('*')) throw ZoneInvalid(`${field}: a zone has no wildcard in its name`)
  return name
}

/** Returns the absolute name of a record, with a final dot: `@`, relative names and absolute ones are accepted. */
export function recordName(typed: string, zone: string, field = 'name'): string {
  if (typed === '' || typed === '@') return `${zone}.`
  const isAbsolute = typed.endsWith('.')
  const name = checked(typed.replace(/\.$/, ''), { field })
  const isWithin = name === zone || name.endsWith(`.${zone}`)
  if (isAbsolute && !isWithin) throw RecordInvalid(`${field}: ${typed} is not in the zone ${zone}`)
  return isWithin ? `${name}.` : `${checked(`${name}.${zone}`, { field })}.`
}

/** Returns the absolute name of a target: `@` and a single label are relative to the zone. */
export function targetName(typed: string, zone: string, field: string): string {
  if (typed === '.') return '.'
  if (typed === '@') return `${zone}.`
  if (isAddress(typed.replace(/\.$/, '')))
    throw RecordInvalid(`${field}: must be a host name, and ${typed} is an address`)
  const name = checked(typed.replace(/\.$/, ''), { field })
  return typed.endsWith('.') || name.includes('.') ? `${name}.` : `${checked(`${name}.${zone}`, { field })}.`
}

interface Checking {
  readonly field: string
  readonly refusal?: ProblemKind
}

function checked(typed: string, { field, refusal = RecordInvalid }: Checking): string {
  if (typed === '') throw refusal(`${field}: must be a domain name`)
  if (/[\\"();]/.test(typed))
    throw refusal(`${field}: PowerDNS takes no escaped or quoted name: ${shown(typed)}`)
  const name = inAscii(typed)
  const labels = name.split('.')
  for (const [at, label] of labels.entries()) {
    if (label === '') throw refusal(`${field}: ${shown(typed)} has an empty label`)
    if (label.length > longestLabel)
      throw refusal(
        `${field}: a label has at most ${longestLabel} characters, and ${shown(label)} has ${label.length}`,
      )
    const isWildcard = label === '*' && at === 0
    if (!isWildcard && !/^[a-z0-9_/-]+$/.test(label))
      throw refusal(`${field}: ${shown(typed)} is not a domain name`)
    if (label.startsWith('xn--') && domainToASCII(label) === '')
      throw refusal(`${field}: ${shown(label)} is not an international name in its ASCII form`)
  }
  if (name.length + 2 > longestName)
    throw refusal(
      `${field}: a name has at most ${longestName - 2} characters, and ${shown(name)} has ${name.length}`,
    )
  return name
}

/** Labels are converted one by one: domainToASCII refuses `_` and `*`. */
const inAscii = (name: string): string =>
  name
    .split(/[.\u3002\uff0e\uff61]/)
    .map((label) => (/^[\u0020-\u007e]*$/.test(label) ? label.toLowerCase() : domainToASCII(label) || label))
    .join('.')

const shown = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)
