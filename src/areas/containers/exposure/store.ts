import Type from 'typebox'
import { json, text } from '../../../store/columns.ts'
import type { Store } from '../../../store/store.ts'
import { type RowOf, table } from '../../../store/table.ts'
import type { PortLimit } from '../../../tools/docker/index.ts'

/** Who may reach published ports, where not everybody may. */
export const portLimits = table(
  'container_port_limits',
  {
    /** Port of the host and protocol, such as `8080/tcp`. */
    port: text(20, { key: true }),
    sources: json(Type.Array(Type.String())),
  },
  { noun: 'limit' },
)

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly container_port_limits: RowOf<typeof portLimits>
  }
}

/** The key of a port. */
export const keyOf = ({ port, protocol }: Pick<PortLimit, 'port' | 'protocol'>): string =>
  `${port}/${protocol}`

/** Lists the limits. */
export async function listLimits({ db }: Pick<Store, 'db'>): Promise<readonly PortLimit[]> {
  const rows = await db.selectFrom('container_port_limits').selectAll().execute()
  return rows.map((row) => {
    const { port: key, sources } = portLimits.show(row)
    const [port = '', protocol] = key.split('/')
    return { port: Number(port), protocol: protocol === 'udp' ? 'udp' : 'tcp', sources }
  })
}
