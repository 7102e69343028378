import { hostname, networkInterfaces } from 'node:os'
import type { ServedWebadmin } from './store.ts'

/** The path below which it is served. */
export const pathOf = ({ alias }: Pick<ServedWebadmin, 'alias'>): string => `/${alias}/`

/** The address at which it is served: by the name of the host where that is a full one, otherwise by an address. */
export const urlOf = (served: Pick<ServedWebadmin, 'alias' | 'port'>): string =>
  `https://${hostPart()}:${served.port}${pathOf(served)}`

function hostPart(): string {
  const name = hostname().toLowerCase()
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(name)) return name
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const outer = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
  return outer?.address ?? '127.0.0.1'
}
