import { Resolver } from 'node:dns/promises'

/** The certificate authorities that may issue for a name, by CAA records (RFC 8659), and the name that has them. */
export interface Authorities {
  readonly name: string
  readonly issuers: readonly string[]
}

/** Returns the CAA records that apply to a name: its own or those of the nearest parent; undefined if there are none. */
export async function askAuthorities(name: string, isWildcard: boolean): Promise<Authorities | undefined> {
  const resolver = new Resolver({ timeout: 2000, tries: 1 })
  const labels = name.split('.')
  for (let at = 0; at < labels.length - 1; at++) {
    const parent = labels.slice(at).join('.')
    const records = await resolver.resolveCaa(parent).catch(emptyIfNone)
    if (records.length === 0) continue
    const issue = records.flatMap((record) => record.issue ?? [])
    const wild = records.flatMap((record) => record.issuewild ?? [])
    const issuers = isWildcard && wild.length > 0 ? wild : issue
    return { name: parent, issuers: issuers.map((value) => value.split(';')[0]!.trim()) }
  }
  return undefined
}

function emptyIfNone(error: NodeJS.ErrnoException): never[] {
  if (['ENODATA', 'ENOTFOUND', 'ENOTIMP'].includes(error.code ?? '')) return []
  throw error
}
