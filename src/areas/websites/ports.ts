import type { AreaPort } from '../firewall/index.ts'
import type { Websites } from './context.ts'

/** The ports that the firewall keeps open while there are websites. */
export async function portsOfSites({ queries }: Pick<Websites, 'queries'>): Promise<readonly AreaPort[]> {
  const count = await queries.count()
  const reason = count === 1 ? '1 website' : `${count} websites`
  if (count === 0) return []
  return [80, 443].map((port) => ({ port, protocol: 'tcp', name: 'Websites', reason }))
}
