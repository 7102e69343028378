import { type Haproxy, frontendsOf, parseConfig } from '../../tools/haproxy/index.ts'
import type { LiveConfig } from './config.ts'
import type { FrontendEdit } from './model.ts'
import { PortHeld } from './problems.ts'

/** Refuses an address on whose port another program listens, names that program, and offers a free port. */
export async function refuseHeldPorts(
  haproxy: Pick<Haproxy, 'portHolder'>,
  { text }: Pick<LiveConfig, 'text'>,
  { binds = [] }: Pick<FrontendEdit, 'binds'>,
): Promise<void> {
  const present = frontendsOf(parseConfig(text)).flatMap((each) => each.binds)
  const configured = new Set(present.flatMap(({ port }) => port ?? []))
  for (const [index, bind] of binds.entries()) {
    const address = numericOf(bind.address)
    const port = bind.port || 80
    if (address === undefined || configured.has(port)) continue
    const holder = await haproxy.portHolder({ address, port, configured })
    if (holder === undefined) continue
    const { process, freePort } = holder
    const by = process ? `${process.name} (process ${process.pid})` : 'another program'
    const offer = freePort === null ? '' : `; port ${freePort} is free`
    throw PortHeld(`binds.${index}.port: port ${port} is used by ${by}${offer}`, {
      fields: { port, process: process?.name ?? null, pid: process?.pid ?? null, free_port: freePort },
    })
  }
}

/** Only HAProxy can judge host names, sockets and addresses that the kernel treats specially. */
function numericOf(address: string): string | undefined {
  const bare = address.replace(/^\[|\]$/g, '')
  if (bare === '' || bare === '*') return '0.0.0.0'
  return /^[0-9.]+$|^[0-9a-f.]*:[0-9a-f:.]*$/i.test(bare) ? bare : undefined
}
