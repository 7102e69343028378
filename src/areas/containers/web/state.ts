import type { Container, ContainerPort } from '../model.ts'

/** How long the panel may take for an answer that follows a pull or a copy: it ends the work itself. */
export const longMs = 12 * 3_600_000

/** The dialog of a container that is open. */
export interface Asking {
  readonly what: 'edit' | 'clone' | 'backup' | 'upgrade' | 'publish' | 'remove'
  readonly container: Container
}

/** The state of a container in one word. */
export function stateOf({ state, health, replaced_by: successor }: Container): string {
  if (successor !== '') return 'replaced'
  return state === 'running' && health !== '' ? health : state
}

const reaches: Readonly<Record<ContainerPort['reach'], string>> = {
  host: 'this host only',
  sources: 'listed addresses only',
  address: 'through this address',
  anyone: 'anyone',
}

/** A port of the host that leads to a container. */
interface Opening {
  readonly address: string
  readonly port: number | string
  readonly inside: number | string
  readonly protocol: string
  readonly reach: ContainerPort['reach']
  readonly sources?: readonly string[]
}

/** Who can reach a port, in a few words. */
export const reachText = (reach: ContainerPort['reach'], sources: readonly string[] = []): string =>
  reach === 'sources' && sources.length > 0 ? sources.join(', ') : reaches[reach]

const openingText = ({ address, port, inside, protocol, reach, sources }: Opening): string =>
  `${reach === 'anyone' ? '' : `${address}:`}${port} → ${inside}/${protocol} (${reachText(reach, sources)})`

/** Writes a published port with who can reach it; ports that are not published are left out. */
export const portTexts = ({ published }: Pick<Container, 'published'>): readonly string[] => [
  ...new Set(
    published
      .filter(({ port, address }) => port > 0 && address !== '::')
      .map(({ container_port: inside, ...port }) => openingText({ ...port, inside })),
  ),
]

const typed = /^(?:(\[[^\]]*\]|[^:[\]]*):)?(\d{1,5}):(\d{1,5})(?:\/(tcp|udp))?$/

/** Writes a port that is to be published as the list will show it; undefined if it is not written as one. */
export function typedPortText(text: string): string | undefined {
  const [, address = '', port, inside, protocol = 'tcp'] = typed.exec(text.trim()) ?? []
  if (port === undefined || inside === undefined) return undefined
  return openingText({ address, port, inside, protocol, reach: reachOf(address) })
}

function reachOf(address: string): ContainerPort['reach'] {
  if (address.startsWith('127.') || address === '[::1]') return 'host'
  return ['', '0.0.0.0', '[::]'].includes(address) ? 'anyone' : 'address'
}
