import { readFile } from 'node:fs/promises'
import { absentAsEmpty } from './proc.ts'

type Protocol = 'udp' | 'tcp'

/** TCP_LISTEN, and the state of a UDP socket that is bound (proc_net(5)). */
const states: Readonly<Record<Protocol, string>> = { tcp: '0A', udp: '07' }

/** True if a program of this host receives on the port. */
export async function isPortBound(protocol: Protocol, port: number): Promise<boolean> {
  const tables = await Promise.all(
    [protocol, `${protocol}6`].map((table) => absentAsEmpty(readFile(`/proc/net/${table}`, 'utf8'))),
  )
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return tables.some((table) =>
    table.split('\n').some((line) => {
      const [, local = '', , state] = line.trim().split(/\s+/)
      return local.endsWith(suffix) && state === states[protocol]
    }),
  )
}
