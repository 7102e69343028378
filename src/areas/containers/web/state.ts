import type { Container, ContainerPort } from '../model.ts'

/** The dialog of a container that is open. */
export interface Asking {
  readonly what: 'edit' | 'clone' | 'backup' | 'remove'
  readonly container: Container
}

/** The state of a container in one word. */
export function stateOf({ state, health, replaced_by: successor }: Container): string {
  if (successor !== '') return 'replaced'
  return state === 'running' && health !== '' ? health : state
}

const reaches: Readonly<Record<ContainerPort['reach'], string>> = {
  host: 'this host only',
  address: 'through this address',
  anyone: 'anyone',
}

/** Writes a published port with who can reach it; ports that are not published are left out. */
export const portTexts = ({ published }: Pick<Container, 'published'>): readonly string[] => [
  ...new Set(
    published
      .filter(({ port, address }) => port > 0 && address !== '::')
      .map(({ address, port, container_port: inside, protocol, reach }) => {
        const at = reach === 'anyone' ? '' : `${address}:`
        return `${at}${port} → ${inside}/${protocol} (${reaches[reach]})`
      }),
  ),
]
