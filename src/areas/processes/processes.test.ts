import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { proveStep } from '../../../test/support/step-suite.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { killStep, parseProcesses } from './processes.ts'

/** Processes by their pid, as `ps` and `kill` see them. */
type Machine = Map<number, { readonly startedAt: string; readonly args: string; readonly state?: string }>

const startedAt = 'Sun Nov 22 09:10:11 2026'

const scriptProcesses =
  (machine: Machine, failure?: string): Script =>
  ([program, ...args]) => {
    const process = machine.get(Number(args.at(-1)))
    if (program === 'ps' && failure !== undefined) return { code: 1, stderr: failure }
    if (program === 'ps' && args.includes('-e')) return { stdout: listing(machine) }
    if (program === 'ps')
      return process
        ? { stdout: `${process.startedAt} ${process.state ?? 'Ss'}   ${process.args.split(' ')[0]}\n` }
        : { code: 1 }
    if (program !== 'kill') return undefined
    if (process === undefined) return { code: 1, stderr: 'kill: No such process' }
    if (process.args.startsWith('deaf') && args[0] === '-TERM') return {}
    if (process.args.startsWith('[')) return { code: 1, stderr: 'kill: Operation not permitted' }
    machine.delete(Number(args.at(-1)))
    return {}
  }

const listing = (machine: Machine): string =>
  [...machine]
    .map(([pid, { args }]) => `${String(pid).padStart(7)} root      0.5  1.2 20480 ${args}\n`)
    .join('')

const sleeper: [number, { startedAt: string; args: string }] = [4711, { startedAt, args: 'sleep 1000' }]

proveStep<Machine>('system.kill', {
  machine: () => new Map([sleeper]),
  open: (machine, door) => killStep(door(scriptedRun(scriptProcesses(machine))).run),
  look: (machine) => [...machine.keys()],
  withoutHandEdit: 'final',
  cases: {
    'a process that runs': {
      args: { pid: 4711, startedAt, program: 'sleep' },
      wanted: [],
      refusedAfter: (machine) =>
        machine.set(4711, { startedAt: 'Sun Nov 22 10:00:00 2026', args: 'another' }),
    },
    'a process that ends on SIGTERM': {
      args: { pid: 4711, startedAt, program: 'sleep', graceSeconds: 5 },
      wanted: [],
    },
  },
})

describe('the processes of the host', () => {
  const machine: Machine = new Map()
  let failure: string | undefined
  let panel: TestPanel
  before(async () => {
    const scripts: Script[] = [(argv, options) => scriptProcesses(machine, failure)(argv, options)]
    panel = await openTestPanel({ scripts })
  })
  after(() => panel.close())
  beforeEach(() => {
    failure = undefined
    machine.clear()
    machine.set(...sleeper)
  })
  const list = (query = '') => panel.request('GET', `/api/system/processes${query}`, { as: panel.admin })
  const kill = (pid: number | string, query = '') =>
    panel.request('POST', `/api/system/processes/${pid}/kill${query}`, { as: panel.admin })

  it('are listed with their user, shares and command, at most 50', async () => {
    for (let pid = 5000; pid < 5060; pid++) machine.set(pid, { startedAt, args: `php-fpm: pool ${pid}` })
    const { status, data } = await list('?sort=mem')
    assert.deepEqual([status, data.processes.length], [200, 50])
    assert.deepEqual(data.processes[0], {
      pid: 4711,
      user: 'root',
      cpu: 0.5,
      mem: 1.2,
      rss_mb: 20,
      command: 'sleep 1000',
    })
    assert.ok(panel.scripted.commands.some((argv) => argv[0] === 'ps' && argv.includes('-pmem')))
  })

  it('cannot be listed where ps fails: its message is answered', async () => {
    failure = 'error: /proc must be mounted'
    const { status, error } = await list()
    assert.deepEqual([status, error.code], [500, 'ps_error'])
    assert.match(error.message, /proc must be mounted/)
  })

  it('are killed after a plan that says that this is final', async () => {
    const plan = await kill(4711, '?plan=1')
    assert.match(plan.data.steps[0].title, /^Kill process 4711 \(sleep\)$/)
    assert.ok(plan.data.steps[0].irreversible)
    assert.ok(machine.has(4711))
    const { status, data } = await kill(4711)
    assert.deepEqual([status, data, machine.has(4711)], [200, { success: true }, false])
  })

  it('are given time to end after SIGTERM, and killed after that', async () => {
    const signals = () =>
      panel.scripted.commands.filter(([program]) => program === 'kill').map(([, signal]) => signal)
    const before = signals().length
    assert.equal((await kill(4711, '?grace=5')).status, 200)
    assert.deepEqual(signals().slice(before), ['-TERM'])
    machine.set(4712, { startedAt, args: 'deaf' })
    const plan = await kill(4712, '?grace=1&plan=1')
    assert.deepEqual(plan.data.steps[0].details, ['SIGKILL follows if it has not ended after 1 s'])
    assert.equal((await kill(4712, '?grace=1')).status, 200)
    assert.deepEqual([signals().slice(before + 1), machine.has(4712)], [['-TERM', '-KILL'], false])
    for (const grace of ['-1', '31', 'x'])
      assert.equal((await kill(4711, `?grace=${grace}`)).error.code, 'bad_request', grace)
  })

  it('are not killed where they are the init process or the panel', async () => {
    for (const pid of [1, process.pid]) {
      const { status, error } = await kill(pid)
      assert.deepEqual([status, error.code], [400, 'forbidden'])
    }
  })

  it('that have ended, are zombies or refuse the signal are answered with kill_failed', async () => {
    machine.set(5, { startedAt, args: 'gone', state: 'Z' })
    machine.set(6, { startedAt, args: '[kthreadd]' })
    for (const pid of [99_999, 5, 6]) {
      const { status, error } = await kill(pid)
      assert.deepEqual([status, error.code], [500, 'kill_failed'], String(pid))
    }
  })

  it('are named by a positive integer, and sorted by a known key', async () => {
    for (const pid of ['0', '-1', '1.5', 'x', '4194305', '99999999999999999999'])
      assert.deepEqual((await kill(pid)).error.code, 'bad_request', pid)
    assert.equal((await list('?sort=rss')).error.code, 'bad_request')
  })

  it('are for superusers only', async () => {
    const as = await panel.person({ permissions: ['administrative_operations'] })
    for (const [method, path] of [
      ['GET', '/api/system/processes'],
      ['POST', '/api/system/processes/4711/kill'],
    ] as const)
      assert.equal((await panel.request(method, path, { as })).error.code, 'forbidden')
    assert.ok(machine.has(4711))
  })
})

it('parses the columns of ps, also of a process without a command line', () => {
  const output =
    '      1 root             0.0  0.1 12345 /sbin/init splash\n     42 systemd-network   12.5  3.0     0 \nps: broken\n'
  assert.deepEqual(
    parseProcesses(output).map(({ pid, user, cpu, rss_mb, command }) => [pid, user, cpu, rss_mb, command]),
    [
      [1, 'root', 0, 12.1, '/sbin/init splash'],
      [42, 'systemd-network', 12.5, 0, ''],
    ],
  )
})
