import assert from 'node:assert/strict'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { editText } from './index.ts'
import { portsOf } from './socket-ports.ts'
import { scratchHead, startScratchHaproxy, haproxySkipReason } from './testing/scratch.ts'
import { until } from '../../../test/support/until.ts'
import { freePorts } from '../../../test/support/free-ports.ts'

const options = { skip: haproxySkipReason(), timeout: 300_000 }

async function open(t: TestContext) {
  const [port, taken, free] = (await freePorts(3)) as [number, number, number]
  const scratch = await startScratchHaproxy(`${scratchHead}frontend web
  bind 127.0.0.1:${port}
`)
  t.after(() => scratch.stop())
  const holder = createServer().listen(taken, '127.0.0.1')
  t.after(() => holder.close())
  await once(holder, 'listening')
  const listenAt = (address: string, at: number) => {
    const parts = { binds: [{ address, port: at, usesTls: false, certificates: [], alpn: null }] }
    return scratch.host.applyEdit(scratch.haproxy.tool, (text) =>
      editText(text, { do: 'add-frontend', name: `at${at}`, parts }),
    )
  }
  /** Appends lines as a manual edit, which HAProxy does not load. */
  const write = async (lines: string) => {
    await until(async () => Date.now() - (await scratch.haproxy.program.startedAt())! > 200)
    appendFileSync(scratch.layout.configPath, lines)
  }
  const { switchProgram } = scratch.haproxy.steps
  const reload = async () => {
    const args = { verb: 'reload' } as const
    const before = await switchProgram.observe(args)
    return switchProgram.act(args, stepRun(before))
  }
  const processes = () => scratch.haproxy.program.processes()
  const refusal = (why: string, place: string) =>
    new RegExp(
      `Binding \\[${scratch.layout.configPath}:\\d+\\] : cannot bind socket \\(${why}\\) for \\[${place.replaceAll('.', '\\.')}\\]`,
    )
  return { ...scratch, port, taken, free, holder, listenAt, write, reload, processes, refusal }
}

test('reports a port that another program uses, without a reload', options, async (t) => {
  const { taken, holder, listenAt, processes, refusal } = await open(t)
  const former = await processes()
  await assert.rejects(listenAt('127.0.0.1', taken), refusal('Address already in use', `127.0.0.1:${taken}`))
  assert.deepEqual(await processes(), former)
  holder.close()
  await once(holder, 'close')
  assert.equal((await listenAt('127.0.0.1', taken)).isLive, true)
})

test(
  'reports an address that this host does not have, even on a served port, without a reload',
  options,
  async (t) => {
    const { port, free, listenAt, processes, refusal } = await open(t)
    const former = await processes()
    for (const at of [port, free])
      await assert.rejects(
        listenAt('192.0.2.77', at),
        refusal('Cannot assign requested address', `192.0.2.77:${at}`),
      )
    assert.deepEqual(await processes(), former)
  },
)

test('a reload of a manual edit does not try a port that another program uses', options, async (t) => {
  const { taken, free, write, reload, processes, refusal } = await open(t)
  await write(`frontend hand\n  bind 127.0.0.1:${free}\n`)
  await reload()
  await write(`frontend more\n  bind 127.0.0.1:${taken}\n`)
  const former = await processes()
  await assert.rejects(reload(), refusal('Address already in use', `127.0.0.1:${taken}`))
  assert.deepEqual(await processes(), former)
})

test(
  'lists the ports on which a process listens, and none for a process that has ended',
  options,
  async (t) => {
    const { port, taken, haproxy } = await open(t)
    const pids = await haproxy.program.running()
    assert.deepEqual([...((await portsOf(pids)) ?? [])], [port])
    assert.equal((await portsOf([process.pid]))?.has(taken), true)
    assert.deepEqual(await portsOf([4_194_304]), new Set())
  },
)
