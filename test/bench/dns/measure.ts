import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../src/host/run.ts'
import { scriptPackages } from '../../../src/host/testing/scripted-host.ts'
import { type ScratchPowerdns, startPowerdns } from '../../../src/tools/powerdns/testing/scratch-powerdns.ts'
import { openTestPanel, type TestPanel } from '../../support/panel.ts'
import { type Figure, median } from '../figures.ts'

/** A zone of 100,000 records in a real PowerDNS, where it is installed: its import, and changes of single sets. */
export async function measureDns(isShort: boolean): Promise<readonly Figure[]> {
  if (spawnSync('pdns_server', ['--version']).error !== undefined) {
    process.stderr.write('Left out: zones of DNS, as PowerDNS is not installed\n')
    return []
  }
  const records = isShort ? 20_000 : 100_000
  const server = await startPowerdns()
  const panel = await openTestPanel({
    scripts: [scriptPackages(new Map([['pdns-server', '4.7.3-2']]))],
    isMeasured: true,
  })
  try {
    server.serveTo(panel.root)
    const times = isShort ? 5 : 15
    return [
      await importing(panel, server, records),
      await changing(panel, {
        times,
        title: `a change in an unsigned zone of ${records} records`,
        bound: 100,
      }),
      await signed(panel, {
        times: 3,
        title: `a change in a signed zone of ${records} records`,
        bound: 2000,
      }),
    ]
  } finally {
    await panel.close()
    await server.stop()
  }
}

const zone = 'big.example'
const linesOf = (records: number): string =>
  Array.from({ length: records }, (_, at) => `h${at} 3600 IN A 192.0.2.${at % 256}\n`).join('')

/** The speed of an import relative to that of `pdnsutil load-zone`, with the same records. */
async function importing(panel: TestPanel, server: ScratchPowerdns, records: number): Promise<Figure> {
  const lines = linesOf(records)
  const path = join(server.folder, 'reference.zone')
  const head = '@ 3600 IN SOA ns1 hostmaster 1 10800 3600 604800 3600\n@ 3600 IN NS ns1\n'
  writeFileSync(path, `$ORIGIN reference.example.\n${head}${lines}`)
  const argv = ['pdnsutil', `--config-dir=${server.folder}`, 'load-zone', 'reference.example', path] as const
  const referenceMs = await timeOf(async () => {
    const { code, stderr } = await run(argv, { timeoutMs: 600_000 })
    if (code !== 0) throw new Error(`pdnsutil ended with ${code}: ${stderr}`)
  })
  const ownMs = await timeOf(() => must(panel, 'POST', `/zones/${zone}/import`, { bind_data: lines }))
  return {
    what: `speed of an import of ${records} records, of that of pdnsutil load-zone`,
    value: referenceMs / ownMs,
    unit: 'of it',
    bound: 0.3,
    isMinimum: true,
    detail: `${ownMs.toFixed(0)} ms and ${referenceMs.toFixed(0)} ms`,
  }
}

interface Changing {
  readonly times: number
  readonly title: string
  /** In milliseconds. */
  readonly bound: number
}

async function changing(panel: TestPanel, { times, title, bound }: Changing): Promise<Figure> {
  const spent: number[] = []
  for (let round = -2; round < times; round++) {
    const records = [{ content: `198.51.100.${round + 100}` }]
    const rrsets = [{ name: 'changed', type: 'A', ttl: 60, records }]
    const ms = await timeOf(() => must(panel, 'PATCH', `/zones/${zone}/records`, { rrsets }))
    if (round >= 0) spent.push(ms) // the first ones compile
  }
  return { what: title, value: median(spent), unit: 'ms', bound }
}

async function signed(panel: TestPanel, measured: Changing): Promise<Figure> {
  await must(panel, 'POST', `/zones/${zone}/dnssec`)
  return changing(panel, measured)
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function must(panel: TestPanel, method: string, path: string, body?: object): Promise<void> {
  const { status, text } = await panel.request(method, `/api/authdns${path}`, {
    as: panel.admin,
    ...(body !== undefined && { body }),
  })
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 500)}`)
}
