import type { AreaPort } from '../firewall/index.ts'
import type { WebadminArea } from './context.ts'

/** The port that the firewall keeps open: that of the web admin, once it is served. */
export async function portsOfWebadmin({
  queries,
}: Pick<WebadminArea, 'queries'>): Promise<readonly AreaPort[]> {
  const served = await queries.served()
  if (served === undefined) return []
  return [{ port: served.port, protocol: 'tcp', name: 'Web admin', reason: `phpMyAdmin ${served.version}` }]
}
