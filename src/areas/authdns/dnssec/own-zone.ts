import type { ZoneFacts } from '../../../tools/powerdns/index.ts'
import type { Authdns } from '../context.ts'
import { ZoneInvalid } from '../problems.ts'
import { findZoneFacts } from '../zones.ts'

/** Finds a zone that is signed on this host. */
export async function findOwn(on: Authdns, typed: string): Promise<ZoneFacts> {
  const zone = await findZoneFacts(on, typed)
  if (zone.kind === 'Slave')
    throw ZoneInvalid(`zone: ${zone.name} is transferred from another server, which signs it`)
  return zone
}
