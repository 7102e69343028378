import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { monitors, states } from '../../src/areas/uptime/store.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import type { Figure } from './figures.ts'

const count = 10_000
const intervalSeconds = 60

/** The processor time and memory that 10,000 HTTP monitors at an interval of a minute take. Their target has a process of its own. */
export async function measureMonitors(isShort: boolean): Promise<readonly Figure[]> {
  const seconds = isShort ? 15 : 60
  const target = await startTarget()
  const panel = await openTestPanel({ isMeasured: true })
  try {
    const before = process.memoryUsage().rss
    await addMonitors(panel, target.url)
    await panel.start()
    await pause(5000)
    const used = process.cpuUsage()
    const checksBefore = await checksOf(panel)
    await pause(seconds * 1000)
    const { user, system } = process.cpuUsage(used)
    const checks = (await checksOf(panel)) - checksBefore
    const cores = (user + system) / 1e6 / seconds
    const megabytes = (process.memoryUsage().rss - before) / 1024 ** 2
    const wanted = (count / intervalSeconds) * seconds
    const detail = `${checks} checks in ${seconds} s`
    return [
      { what: `${count} monitors: processor`, value: cores, unit: 'cores', bound: 0.5, loose: 1, detail },
      { what: `${count} monitors: memory`, value: megabytes, unit: 'MB', bound: 150, loose: 200 },
      {
        what: `${count} monitors: checks / those that are due`,
        value: checks / wanted,
        unit: 'x',
        bound: 0.95,
        loose: 0.8,
        isMinimum: true,
      },
    ]
  } finally {
    await panel.close()
    target.stop()
  }
}

interface Target {
  readonly url: string
  stop(): void
}

async function startTarget(): Promise<Target> {
  const program = `require('http').createServer((_, answer) => answer.end('up')).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
  const child: ChildProcess = spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.stdout === null) throw new Error('the target has no output')
  const [port] = await once(child.stdout, 'data')
  return { url: `http://127.0.0.1:${Number(String(port))}/`, stop: () => void child.kill('SIGKILL') }
}

/** Writes monitors that have been checked before, so that they are spread over their interval. */
async function addMonitors({ store }: TestPanel, target: string): Promise<void> {
  const now = Date.now()
  const created_at = new Date(now).toISOString()
  for (let from = 0; from < count; from += 500)
    await store.transaction((tx) =>
      store.write(
        tx,
        Array.from({ length: 500 }, (_, at) => from + at).flatMap((number) => {
          const id = store.nextId(monitors.name)
          const next = new Date(now + (number / count) * intervalSeconds * 1000).toISOString()
          return [
            monitors.insert(
              monitors.row({
                ...{ id, name: `shop ${number}`, type: 'http', target, is_enabled: true, created_at },
                ...{ check_interval: intervalSeconds, timeout: 5, alert_ai: false, alert_email: '' },
                ...{ http_method: '', http_override_ip: '', http_keyword: '', http_skip_ssl: false },
                ...{ http_statuses: '', webhook_skip_ssl: false, sealed_webhook_secret: '' },
                ...{ alert_webhook: '', dns_failover: false, dns_zone: '', dns_record_name: '' },
                ...{ dns_record_type: '', dns_up_ip: '', dns_down_ip: '' },
              }),
            ),
            states.insert(
              states.row({
                ...{ monitor_id: id, state: 'up', is_down: false, last_check: created_at, last_status: 200 },
                ...{ last_response_time: 1, last_error: '', fail_count: 0, total_checks: 1 },
                ...{ down_at: null, recovered_at: null, next_check: next, swings: '', is_unstable: false },
                is_switched: false,
              }),
            ),
          ]
        }),
      ),
    )
}

async function checksOf({ store }: TestPanel): Promise<number> {
  const { sum } = await store.db
    .selectFrom('uptime_states')
    .select(({ fn }) => fn.sum<number>('total_checks').as('sum'))
    .executeTakeFirstOrThrow()
  return sum
}
