import { type Change, change, step } from '../../core/change.ts'
import { lock } from '../../core/lock.ts'
import { BadRequest, Unavailable } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import type { MachineArea } from './context.ts'
import type { ServerName, ServerNameDraft, ServerTimezone, ServerTimezoneDraft } from './model.ts'
import { hasZone, hasZones, readZoneLink, zoneOf } from './zone-database.ts'

const machineLock = lock('machine')

/** Reads the name of the host. */
export async function readServerName({ files, kernelName }: MachineArea): Promise<ServerName> {
  const stored = (await files.read('/etc/hostname')) ?? ''
  return { server_name: kernelName(), stored: stored.trim().slice(0, 255) }
}

/** Names the host. */
export function nameServer(on: MachineArea, { server_name }: ServerNameDraft): Change<{ success: true }> {
  const name = server_name.toLowerCase()
  return change({
    summary: `Name the host ${name}`,
    locks: [machineLock('name')],
    steps: [step(on.setName, { name })],
    reply: success,
  })
}

/** Reads the time zone of the host. */
export async function readTimezone(on: MachineArea, now: Date): Promise<ServerTimezone> {
  const timezone = zoneOf(await readZoneLink(on)).slice(0, 255)
  return { timezone, offset: offsetOf(timezone, now) }
}

/** The offset of a zone as `+02:00`; empty if this program does not know the zone. */
function offsetOf(timeZone: string, now: Date): string {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(now)
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    return offset.replace('GMT', '') || '+00:00'
  } catch {
    return ''
  }
}

/** Sets the time zone of the host. */
export async function setTimezone(
  on: MachineArea,
  { timezone }: ServerTimezoneDraft,
): Promise<Change<{ success: true }>> {
  if (!(await hasZones(on))) throw Unavailable('The host has no zone database: install the package tzdata')
  if (!(await hasZone(on, timezone)))
    throw BadRequest(`timezone: the zone database has no ${timezone}: use a name such as Europe/Berlin`)
  return change({
    summary: `Set the time zone of the host to ${timezone}`,
    locks: [machineLock('time-zone')],
    steps: [step(on.setZone, { zone: timezone })],
    reply: success,
  })
}
