import { isAddress } from '../../host/fetch/index.ts'
import type { ListenAddress } from '../listen-addresses.ts'

/** Finds the TCP addresses of `listen` in what `nginx -T` prints. */
export function addressesIn(configuration: string): readonly ListenAddress[] {
  const found = configuration
    .replaceAll(/(?:^|[\s;{}])#.*$/gm, '')
    .matchAll(/(?:^|[\s{;}])listen\s+([^;]+);/g)
  return [...found].flatMap(([, text = '']) => {
    const [value = '', ...parameters] = text.trim().split(/\s+/)
    const address = parameters.includes('quic') || parameters.includes('udp') ? undefined : addressOf(value)
    return address === undefined ? [] : [address]
  })
}

/** Undefined for the path of a socket, and for a name. */
function addressOf(value: string): ListenAddress | undefined {
  const [, bracketed, plain, port = '80'] =
    /^(?:\[([^\]]+)\]|([^:[\]]*[^:[\]\d][^:[\]]*))(?::(\d{1,5}))?$/.exec(value) ?? []
  const host = bracketed ?? plain
  if (/^\d{1,5}$/.test(value)) return { host: '0.0.0.0', port: Number(value) }
  if (host === '*') return { host: '0.0.0.0', port: Number(port) }
  return host === undefined || !isAddress(host) ? undefined : { host, port: Number(port) }
}
