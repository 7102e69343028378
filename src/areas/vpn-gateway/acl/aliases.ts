import { hasHostBits, parseNetwork } from '../../../host/networks.ts'
import { PolicyInvalid } from '../problems.ts'

/** The users of the mesh and the groups of a policy, by which aliases are read. */
export interface Known {
  readonly users: ReadonlySet<string>
  /** With their prefix `group:`. */
  readonly groups: ReadonlySet<string>
  /** Names of hosts in other parts of the policy. */
  readonly hosts: ReadonlySet<string>
  /** Tags that have owners in other parts of the policy. */
  readonly tags: ReadonlySet<string>
}

const sharedGroups = ['autogroup:member', 'autogroup:tagged']
const sourceGroups = [...sharedGroups, 'autogroup:danger-all']
const targetGroups = [...sharedGroups, 'autogroup:internet', 'autogroup:self']

/** A user as the control server writes it in policies. */
export const userAlias = (name: string): string => (name.includes('@') ? name : `${name}@`)

/** A group as the control server writes it. */
export const groupAlias = (name: string): string => (name.startsWith('group:') ? name : `group:${name}`)

/** Reads the name of a user of the mesh, with or without the final `@`. */
export function readMember(text: string, field: string, { users }: Pick<Known, 'users'>): string {
  const name = users.has(text) ? text : text.replace(/@$/, '')
  if (!users.has(name)) throw PolicyInvalid(`${field}: the mesh has no user ${name}`)
  return userAlias(name)
}

/** Reads who may connect, as the control server writes it. */
export function readSource(text: string, field: string, known: Known): string {
  return readAlias(text, field, known, sourceGroups)
}

/** Reads where to: an alias and ports. */
export function readTarget(text: string, field: string, known: Known): string {
  const { host, ports } = partsOfTarget(text)
  if (host === '' || !isPorts(ports))
    throw PolicyInvalid(
      `${field}: ${text} must end in : and ports, such as ${text.replace(/:$/, '')}:* or :80,443 or :1-1024`,
    )
  return `${readAlias(host, field, known, targetGroups)}:${ports}`
}

/** Returns the alias and the ports of a target; an IPv6 address may be in brackets. */
export function partsOfTarget(text: string): { readonly host: string; readonly ports: string } {
  const at = text.lastIndexOf(':')
  return { host: text.slice(0, Math.max(0, at)).replace(/^\[(.*)\]/, '$1'), ports: text.slice(at + 1) }
}

function readAlias(text: string, field: string, known: Known, autogroups: readonly string[]): string {
  if (text === '*' || autogroups.includes(text)) return text
  if (text.startsWith('autogroup:'))
    throw PolicyInvalid(`${field}: ${text} must be one of ${autogroups.join(', ')}`)
  if (text.startsWith('group:')) {
    if (!known.groups.has(text)) throw PolicyInvalid(`${field}: groups has no ${text.slice('group:'.length)}`)
    return text
  }
  if (text.startsWith('tag:')) {
    if (!known.tags.has(text)) throw PolicyInvalid(`${field}: ${text} has no owners in the policy`)
    return text
  }
  const network = parseNetwork(text)
  if (network !== undefined) {
    if (hasHostBits(network)) throw PolicyInvalid(`${field}: ${text} has bits after its prefix`)
    return text
  }
  if (known.hosts.has(text)) return text
  return readMember(text, field, known)
}

/** `*`, or ports and ranges with commas between. */
function isPorts(text: string): boolean {
  if (text === '*') return true
  return text.split(',').every((part) => {
    const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part) ?? []
    return (
      first !== undefined && Number(first) >= 1 && Number(first) <= Number(last) && Number(last) <= 65_535
    )
  })
}

/** True if a port is among those of a target. */
export function hasPort(ports: string, port: number): boolean {
  if (ports === '*') return true
  return ports.split(',').some((part) => {
    const [first, last = first] = part.split('-')
    return port >= Number(first) && port <= Number(last)
  })
}
