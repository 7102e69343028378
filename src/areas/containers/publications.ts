import type { StepKind } from '../../core/change.ts'
import { poll } from '../../core/poll.ts'
import type { AreaPort } from '../firewall/index.ts'
import type { Websites } from '../websites/index.ts'

/** How the ports of websites are opened before their rows exist. */
export interface Publications {
  /** The ids of the websites that are being published. */
  readonly published: Set<number>
  readonly isFirewallOn: () => Promise<boolean>
  /** True if the firewall admits what areas need now. */
  readonly isInEffect: () => Promise<boolean>
}

interface OpenArgs {
  readonly website_id: number
}

/** A change of the firewall that waits for its confirmation holds the ports back for longer than a few seconds. */
const limitMs = 120_000
const everyMs = 500

/** Keeps the ports of a website open in the firewall from before an authority has to reach it until its row does so. */
export function openWebPorts(
  name: string,
  { published, isFirewallOn, isInEffect }: Publications,
): StepKind<OpenArgs, null, null> {
  return {
    name,
    plan: () => ({ title: 'Open the ports 80 and 443 in the firewall, if it is on' }),
    observe: async () => null,
    act: async ({ website_id: id }, { progress, signal }) => {
      if (!(await isFirewallOn())) return null
      published.add(id)
      progress(null, 'Waiting until the firewall has opened the ports 80 and 443')
      // an authority that cannot reach the website says so itself
      await poll(async () => ((await isInEffect()) ? true : undefined), { limitMs, everyMs, signal })
      signal.throwIfAborted()
      return null
    },
    undo: async ({ website_id: id }) => void published.delete(id),
    check: async ({ website_id: id }) => (published.has(id) ? 'wanted' : 'before'),
    notUndone: 'the ports are open as long as there are websites',
  }
}

/** Lists the ports that are open for websites whose rows do not exist yet. */
export async function portsOfPublications(
  { published }: Pick<Publications, 'published'>,
  { queries }: Pick<Websites, 'queries'>,
): Promise<readonly AreaPort[]> {
  for (const id of [...published]) if ((await queries.find(id)) !== undefined) published.delete(id)
  if (published.size === 0) return []
  const reason = 'A container is being published as a website'
  return [80, 443].map((port) => ({ port, protocol: 'tcp', name: 'Containers', reason }))
}
