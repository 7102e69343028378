import { type Change, change, step } from '../../../core/change.ts'
import { success } from '../../../core/reply.ts'
import type { Transfer, ZoneRole } from '../../../tools/powerdns/index.ts'
import type { Authdns } from '../context.ts'
import { serverLock, zoneLock } from '../locks.ts'
import type { Replication, ReplicationDraft, SecondaryZone } from './model.ts'
import { directivesOf, hostOf, type ReplicationSettings, settingsOf } from './settings.ts'
import { replication } from './store.ts'

/** Reads the part of this server in replication; for a secondary, with the state of its zones. */
export async function readReplication(on: Authdns, now: Date): Promise<Replication> {
  const row = await on.replication.find()
  if (row === undefined) return { role: 'native', allow_axfr_ips: [], also_notify: [], autosecondary: false }
  const { role, master_ip, allow_axfr_ips, also_notify, autosecondary, nameserver } = replication.show(row)
  return {
    ...{ role, allow_axfr_ips, also_notify, autosecondary },
    ...(master_ip !== '' && { master_ip }),
    ...(nameserver !== '' && { nameserver }),
    ...(role === 'slave' && { zones: await secondaryZones(on, now) }),
  }
}

/** Sets the role of this server: its settings, and the kind of every zone. */
export async function setReplication(
  on: Authdns,
  draft: ReplicationDraft,
): Promise<Change<{ success: true }>> {
  const { tool } = on
  const settings = settingsOf(draft)
  const directives = directivesOf(settings)
  const isWritten = await tool.hasSettings('replication', directives)
  const zones = changedRoles(await tool.readTransfers(), settings)
  const was = await on.replication.find()
  const autoprimary = settings.autosecondary
    ? { ip: hostOf(settings.master_ip), nameserver: settings.nameserver }
    : null
  return change({
    summary: `Make this DNS server ${titles[settings.role]}`,
    locks: [serverLock, ...Object.keys(zones).map((name) => zoneLock(name))],
    steps: [
      ...(isWritten
        ? []
        : [step(tool.steps.writeSettings, { file: 'replication' as const, settings: directives })]),
      step(tool.steps.setAutoprimary, { autoprimary }),
      ...(Object.keys(zones).length === 0 ? [] : [step(tool.steps.setRoles, { zones })]),
    ],
    details:
      settings.role === 'slave' ? ['The records of each zone are replaced by those that the master has'] : [],
    rows: [
      was === undefined
        ? replication.insert(replication.row({ id: 1, ...settings }))
        : replication.update(was, settings),
    ],
    reply: success,
  })
}

const titles = { native: 'native', master: 'a primary', slave: 'a secondary' } as const
const kinds = { native: 'Native', master: 'Master', slave: 'Slave' } as const

function changedRoles(
  zones: readonly Transfer[],
  { role, master_ip }: ReplicationSettings,
): Readonly<Record<string, ZoneRole>> {
  const wanted: ZoneRole = { kind: kinds[role], masters: role === 'slave' ? [master_ip] : [] }
  const differs = ({ kind, masters }: Transfer) =>
    kind !== wanted.kind || masters.join(' ') !== wanted.masters.join(' ')
  return Object.fromEntries(zones.filter(differs).map(({ name }) => [name, wanted]))
}

const failedMs = 86_400_000

async function secondaryZones({ tool }: Authdns, now: Date): Promise<SecondaryZone[]> {
  return (await tool.readTransfers())
    .filter(({ kind }) => kind === 'Slave')
    .map((zone) => ({
      name: zone.name,
      serial: zone.serial,
      last_check: zone.lastCheck === 0 ? null : new Date(zone.lastCheck * 1000).toISOString(),
      kind: zone.kind,
      status: statusOf(zone, now),
    }))
}

function statusOf({ serial, notifiedSerial, lastCheck }: Transfer, now: Date): SecondaryZone['status'] {
  if (serial === 0) return lastCheck === 0 ? 'pending' : 'failed'
  if (notifiedSerial > serial) return 'pending'
  return now.getTime() - lastCheck * 1000 > failedMs ? 'failed' : 'synced'
}
