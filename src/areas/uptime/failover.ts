import { KeyedMutex } from '../../core/keyed-mutex.ts'
import { Problem } from '../../core/problem.ts'
import { canonicalAddress } from '../../host/networks.ts'
import { type AddressRecord, switchAddress } from '../authdns/index.ts'
import type { Uptime } from './parts.ts'
import { history, type MonitorRow, recordingQueries, type StateRow, states } from './store.ts'

/** Monitors that share a name replace addresses of one set of records, each in what the one before has left. */
const zoneLock = new KeyedMutex<string>()

/** Switches the DNS record of a monitor if its address is not that of its state; a failure is tried again with the next check. */
export async function followState(on: Uptime, row: MonitorRow, state: StateRow): Promise<void> {
  const isSwitched = state.is_switched === 1
  // one that goes down and up again and again stays where it is until it is stable
  const isWanted = state.is_down === 1 || (state.is_unstable === 1 && isSwitched)
  if (row.dns_failover !== 1 || isWanted === isSwitched) return
  const [up, down] = [row.dns_up_ip, row.dns_down_ip].map(canonicalAddress) // as PowerDNS lists them
  const [from = '', to = ''] = isWanted ? [up, down] : [down, up]
  const record = recordOf(row)
  const release = await zoneLock.acquire(record.zone.toLowerCase().replace(/\.$/, ''))
  const failure = await switchAddress(on.dns, { ...record, from, to })
    .then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof Problem)) throw error
        return error.message
      },
    )
    .finally(release)
  const shown = `${record.type} ${row.dns_record_name || '@'} in ${row.dns_zone}`
  const text = failure === undefined ? `${shown}: ${to}` : `${shown}: not changed to ${to}: ${failure}`
  await store(on, row, { text, isSwitched: failure === undefined ? isWanted : isSwitched })
}

/** The record of a monitor, whose type is validated when it is configured. */
export const recordOf = (
  row: Pick<MonitorRow, 'dns_zone' | 'dns_record_name' | 'dns_record_type'>,
): AddressRecord => ({
  zone: row.dns_zone,
  name: row.dns_record_name,
  type: row.dns_record_type.toUpperCase() === 'AAAA' ? 'AAAA' : 'A',
})

interface Found {
  readonly text: string
  readonly isSwitched: boolean
}

async function store(on: Uptime, { id }: MonitorRow, { text, isSwitched }: Found): Promise<void> {
  const error = text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, 500)
  await on.store.transaction(async (tx) => {
    const stored = recordingQueries(tx)
    const state = await stored.state(id)
    if (state === undefined || (await stored.lastEvent(id, 'failover')) === error) return
    const event = {
      ...{ id: on.store.nextId(history.name), monitor_id: id, event_type: 'failover' as const },
      ...{ status: state.last_status, response_time: state.last_response_time, error },
      created_at: new Date().toISOString(),
    }
    await on.store.write(tx, [
      states.updateWhere({ monitor_id: id }, { is_switched: isSwitched }),
      history.insert(history.row(event)),
    ])
  })
}
