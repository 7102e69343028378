import { type Balancer, type DomainList, storedBalancerIn } from './balancer.ts'
import { hasKey, keysOf } from './cdb.ts'
import { balancerPath } from './layout.ts'
import type { DnsdistParts } from './parts.ts'
import { nameOf, wireName } from './wire-name.ts'

type Read = Pick<DnsdistParts, 'host' | 'layout'>

/** Reads the servers, lists and rules of the panel; a list whose database is missing has no domains. */
export async function readBalancer(parts: Read): Promise<Balancer> {
  const { stored, databases } = await readDatabases(parts)
  const domainLists = stored.domainLists.map(({ name, action, database }): DomainList => {
    const domains = keysOf(databases.get(database) ?? Buffer.alloc(0))
    return { name, action, domains: domains.map(nameOf).join('\n') }
  })
  return { ...stored, domainLists }
}

/** Reads all but the domains of the lists, which may be a million. */
export const readStored = async ({ host, layout }: Read) =>
  storedBalancerIn(await host.files.read(balancerPath(layout)))

/** Reads the rules, and the domain lists with those of some domains that each contains. */
export async function readContaining(parts: Read, domains: readonly string[]) {
  const { stored, databases } = await readDatabases(parts)
  const keys = domains.flatMap((domain) => {
    const key = wireName(domain)
    return key === undefined ? [] : [{ domain, key }]
  })
  const domainLists = stored.domainLists.map(({ name, action, database }) => {
    const file = databases.get(database)
    const found = file === undefined ? [] : keys.filter(({ key }) => hasKey(file, key))
    return { name, action, domains: new Set(found.map(({ domain }) => domain)) }
  })
  return { domainLists, rules: stored.rules }
}

const mostAttempts = 5

/** Reads the file and the databases that it names; again if a change has replaced them meanwhile. */
async function readDatabases({ host: { files }, layout }: Read) {
  for (let attempt = 1; ; attempt += 1) {
    const text = await files.read(balancerPath(layout))
    const stored = storedBalancerIn(text)
    const databases = new Map<string, Buffer>()
    for (const { database } of stored.domainLists) {
      const opened = await files.open(`${layout.directory}/${database}`)
      const chunks: Buffer[] | undefined = await opened?.stream.toArray()
      if (chunks !== undefined) databases.set(database, Buffer.concat(chunks))
    }
    const isWhole = stored.domainLists.every(({ database }) => databases.has(database))
    if (isWhole || attempt === mostAttempts || (await files.read(balancerPath(layout))) === text)
      return { stored, databases }
  }
}
