import { startScratchHaproxy, haproxySkipReason } from '../../../src/tools/haproxy/testing/scratch.ts'
import { editText, parseConfig, type ServerSettings, writeConfig } from '../../../src/tools/haproxy/index.ts'
import { openTestPanel, type TestPanel } from '../../support/panel.ts'
import { type Figure, median } from '../figures.ts'
import { freePorts } from '../../support/free-ports.ts'

const servers = 5000
const settings: ServerSettings = {
  name: 's4999',
  address: '192.0.2.9',
  port: 81,
  weight: null,
  isBackup: false,
  usesTls: false,
  isChecked: false,
}

/** The load balancer with 5,000 servers, and 100 changes that come together: with the real HAProxy where it is installed. */
export async function measureLbproxy(isShort: boolean): Promise<readonly Figure[]> {
  const times = isShort ? 5 : 15
  const [port] = (await freePorts(1)) as [number]
  const figures = [parsing(port, times)]
  const why = haproxySkipReason()
  if (why === false)
    return [
      ...figures,
      ...(await onPanel(large(port), (panel) => withMany(panel, times))),
      ...(await onPanel(small(port), together)),
    ]
  process.stderr.write(`Left out: the load balancer's panel, as ${why}\n`)
  return figures
}

function parsing(port: number, times: number): Figure {
  const text = large(port)
  const spent = timesOf(times, (round) =>
    writeConfig(
      parseConfig(
        editText(`${text}# ${round}\n`, {
          do: 'replace-server',
          name: 'big',
          replaced: 's4999',
          server: { ...settings, port: 1000 + round },
        }),
      ),
    ),
  )
  return {
    what: `reading, changing and writing a configuration of ${servers} servers`,
    value: median(spent),
    unit: 'ms',
    bound: 100,
  }
}

async function withMany(panel: TestPanel, times: number): Promise<readonly Figure[]> {
  const [reads, cpu, plain]: [number[], number[], number[]] = [[], [], []]
  const { tool } = panel.tools.haproxy
  for (let round = -2; round < times; round++) {
    const startedAt = performance.now()
    const listed = await panel.request('GET', '/api/lbproxy/backends', { as: panel.admin })
    if (listed.data[0].servers.length !== servers || listed.data[0].servers[0].status !== 'no check')
      throw new Error(listed.text.slice(0, 500))
    const readMs = performance.now() - startedAt
    const driving = await cpuOf(async () => {
      await tool.check(tool.path)
      await tool.activate()
    })
    const changedAt = performance.now()
    const body = { name: 's17', address: '127.0.0.1', port: 2000 + round, check: false }
    const whole = await cpuOf(() => must(panel, 'PUT', '/backends/big/servers/s17', body))
    if (round < 0) continue // the first ones compile
    reads.push(readMs)
    cpu.push(whole - driving)
    plain.push(performance.now() - changedAt)
  }
  return [
    {
      what: `GET backends with ${servers} servers and their live states`,
      value: median(reads),
      unit: 'ms',
      bound: 150,
      loose: 450,
    },
    {
      what: `own CPU of a change among ${servers} servers, beyond haproxy -c and the reload`,
      value: median(cpu),
      unit: 'ms',
      bound: 30,
      loose: 60,
      detail: `${median(plain).toFixed(0)} ms in all, 300 ms of them as described`,
    },
  ]
}

/** Milliseconds of CPU time that this process uses meanwhile, in all its threads. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function together(panel: TestPanel): Promise<readonly Figure[]> {
  const reloads = async () => (await panel.tools.haproxy.program.processes())!.reloads
  const before = await reloads()
  const startedAt = performance.now()
  const changes = Array.from({ length: 100 }, (_, index) =>
    must(panel, 'POST', '/backends', { name: `b${index}` }),
  )
  await Promise.all(changes)
  const spent = performance.now() - startedAt
  const listed = await panel.request('GET', '/api/lbproxy/backends', { as: panel.admin })
  if (listed.data.length !== 101) throw new Error(`${listed.data.length} backends are there`)
  return [
    {
      what: 'reloads by 100 changes sent together',
      value: (await reloads()) - before,
      unit: '',
      bound: 10,
      loose: 10,
      detail: `${spent.toFixed(0)} ms`,
    },
  ]
}

async function must(panel: TestPanel, method: string, path: string, body: object): Promise<void> {
  const { status, text } = await panel.request(method, `/api/lbproxy${path}`, { as: panel.admin, body })
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`)
}

async function onPanel(
  text: string,
  measure: (panel: TestPanel) => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> {
  const scratch = await startScratchHaproxy(text)
  const panel = await openTestPanel({ haproxy: scratch.options, isMeasured: true })
  try {
    return await measure(panel)
  } finally {
    await panel.close()
    await scratch.stop()
  }
}

const head = (port: number) => `global
  stats socket \${socket} mode 600 level admin
defaults
  mode http
  timeout connect 1s
  timeout client 1s
  timeout server 1s
frontend web
  bind 127.0.0.1:${port}
  default_backend big
backend big
`
const small = (port: number) => `${head(port)}  server s0 127.0.0.1:9\n`
const large = (port: number) =>
  head(port) +
  Array.from(
    { length: servers },
    (_, index) => `  server s${index} 127.0.0.1:${1000 + (index % 5000)} weight ${(index % 100) + 1}\n`,
  ).join('')

function timesOf(times: number, work: (round: number) => void): readonly number[] {
  return Array.from({ length: times }, (_, round) => {
    const startedAt = performance.now()
    work(round)
    return performance.now() - startedAt
  })
}
