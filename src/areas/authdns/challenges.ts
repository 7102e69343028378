import { KeyedMutex } from '../../core/keyed-mutex.ts'
import type { Tools } from '../../tools/open-tools.ts'
import { zonePath } from '../../tools/powerdns/index.ts'
import type { ChallengeRecord, DnsChallenges } from '../certificates/index.ts'

const challengeTtl = 60

interface ChallengesParts {
  readonly tool: Tools['powerdns']
  readonly isEnabled: () => boolean
}

/** Publishes the records of dns-01 in zones that this host alone serves. */
export function openChallenges({ tool, isEnabled }: ChallengesParts): DnsChallenges {
  const editing = new KeyedMutex<string>()
  const zoneOf = async (name: string): Promise<string | undefined> => {
    if (!isEnabled() || (await tool.readApiSettings()) === undefined) return undefined
    const labels = name.replace(/\.$/, '').toLowerCase().split('.')
    for (let at = 0; at < labels.length; at += 1) {
      const zone = await tool.readZoneFacts(labels.slice(at).join('.'))
      if (zone !== undefined) return zone.kind === 'Native' ? zone.name : undefined
    }
    return undefined
  }
  const edit = async ({ name, value }: ChallengeRecord, isPublished: boolean) => {
    const zone = await zoneOf(name)
    if (zone === undefined) return
    const release = await editing.acquire(zone)
    try {
      const key = { name: `${name}.`, type: 'TXT' }
      const present = (await tool.readNames(zone, [key.name])).find(({ type }) => type === 'TXT')
      const content = `"${value}"`
      const others = (present?.records ?? []).filter((record) => record.content !== content)
      const records = isPublished ? [...others, { content, disabled: false }] : others
      const set =
        records.length === 0
          ? { ...key, changetype: 'DELETE' }
          : { ...key, ttl: challengeTtl, changetype: 'REPLACE', records }
      await tool.api.write({ method: 'PATCH', path: zonePath(zone), body: { rrsets: [set] } })
    } finally {
      release()
    }
  }
  return {
    covers: async (name) => (await zoneOf(name)) !== undefined,
    publish: (record, signal) => {
      signal.throwIfAborted()
      return edit(record, true)
    },
    withdraw: (record) => edit(record, false),
  }
}
