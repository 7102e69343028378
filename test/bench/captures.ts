import { mkdirSync } from 'node:fs'
import { openTestPanel } from '../support/panel.ts'
import { until } from '../support/until.ts'
import { type Figure, median } from './figures.ts'

const count = 1000
const line = (number: number) =>
  `2026-11-28 00:00:01.${String(number).padStart(6, '0')} IP 10.0.0.1.4321 > 10.0.0.2.80: Flags [P.], seq ${number}:${number + 9}, ack 1, win 512, length 9\n`

/** The time that the list of 1,000 captured packets takes over loopback. */
export async function measureCaptures(isShort: boolean): Promise<readonly Figure[]> {
  const panel = await openTestPanel({
    isMeasured: true,
    scripts: [
      (argv, { onOutput }) => {
        if (!argv.includes('tcpdump')) return undefined
        if (!argv.includes('-d'))
          void onOutput?.(Buffer.from(Array.from({ length: count }, (_, at) => line(at)).join('')))
        return {}
      },
    ],
  })
  try {
    mkdirSync(`${panel.root}/sys/class/net/eth0`, { recursive: true })
    const address = await panel.app.listen({ host: '127.0.0.1', port: 0 })
    const send = async (path: string, body?: object) => {
      const answer = await fetch(`${address}/api/nettools${path}`, {
        headers: {
          authorization: `Bearer ${panel.admin.token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      const { data } = (await answer.json()) as { readonly data: any }
      return data
    }
    const { session_id: id } = await send('/capture/start', { interface: 'eth0', count })
    await until(async () => (await send(`/capture/${id}/status`)).packet_count === count)
    const times: number[] = []
    for (let round = 0; round < (isShort ? 30 : 100); round++) {
      const startedAt = performance.now()
      const packets = await send(`/capture/${id}/packets`)
      times.push(performance.now() - startedAt)
      if (packets.length !== count) throw new Error(`${packets.length} packets are listed`)
    }
    return [{ what: `list of ${count} packets`, value: median(times), unit: 'ms', bound: 20, loose: 40 }]
  } finally {
    await panel.close()
  }
}
