import type { Candidate } from '../../host/apply/tool.ts'

interface Named {
  readonly port: string
  readonly name: string
  readonly path: string
}

/** Returns which names of the candidates a virtual host of another file has too: Apache serves the first one, and is silent. */
export function takenNames(hosts: string, candidates: readonly Candidate[]): string | undefined {
  const own = new Set(candidates.flatMap(({ path, preparedPath }) => [path, preparedPath ?? path]))
  const first = new Map<string, Named>()
  const messages: string[] = []
  for (const each of namesIn(hosts)) {
    const key = `${each.port} ${each.name}`
    const other = first.get(key)
    if (other === undefined) first.set(key, each)
    else if (other.path !== each.path && (own.has(each.path) || own.has(other.path)))
      messages.push(
        `conflicting server name "${each.name}" on port ${each.port}: it is also in ${other.path}`,
      )
  }
  return messages.length === 0 ? undefined : [...new Set(messages)].join('\n')
}

/** Reads the list of `apache2ctl -S`: `port 80 namevhost NAME (PATH:LINE)`, followed by lines `alias NAME`. */
function namesIn(hosts: string): readonly Named[] {
  const found: Named[] = []
  for (const line of hosts.split('\n')) {
    const [, port, name = '', path = ''] = /^\s+port (\d+) namevhost (\S+) \((.+):\d+\)$/.exec(line) ?? []
    if (port !== undefined) found.push({ port, name, path })
    const [, alias] = /^\s+(?:wild )?alias (\S+)$/.exec(line) ?? []
    const last = found.at(-1)
    if (alias !== undefined && last !== undefined) found.push({ ...last, name: alias })
  }
  return found
}
