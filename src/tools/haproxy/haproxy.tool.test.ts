import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { Problem } from '../../core/problem.ts'
import { digestOf } from '../../host/files.ts'
import { editText, type ConfigEdit } from './index.ts'
import { scratchHead, startScratchHaproxy, haproxySkipReason } from './testing/scratch.ts'
import { hangMs, until } from '../../../test/support/until.ts'
import { freePorts } from '../../../test/support/free-ports.ts'

const skip = haproxySkipReason()
const options = { skip, timeout: 300_000 }

const text = (port: number, backendPort: number) => `# kept
${scratchHead}frontend web
  bind 127.0.0.1:${port}
  default_backend app
backend app
  server a 127.0.0.1:${backendPort}
`

async function open(t: TestContext, { hasMaster = true } = {}) {
  const [port, backendPort, taken] = (await freePorts(3)) as [number, number, number]
  const scratch = await startScratchHaproxy(text(port, backendPort), { hasMaster })
  t.after(scratch.stop)
  const edit = (wanted: ConfigEdit) =>
    scratch.host.applyEdit(scratch.haproxy.tool, (current) => editText(current, wanted))
  const served = async () =>
    ((await scratch.haproxy.stats()) ?? []).map((row) => `${row['pxname']}/${row['svname']}`)
  return { ...scratch, port, backendPort, taken, edit, served }
}

const addBackend = (name: string): ConfigEdit => ({
  do: 'add-backend',
  name,
  mode: 'http',
  balance: 'roundrobin',
})
const listenOn = (name: string, port: number): ConfigEdit => ({
  do: 'add-frontend',
  name,
  parts: { binds: [{ address: '127.0.0.1', port, usesTls: false, certificates: [], alpn: null }] },
})
const messageOf = (error: unknown) =>
  error instanceof Problem ? `${error.kind.code}: ${error.message}` : String(error)

for (const hasMaster of [true, false]) {
  const how = hasMaster ? 'under a master' : 'without a master'

  test(`an edit is served before its reply, ${how}`, options, async (t) => {
    const { edit, served, read } = await open(t, { hasMaster })
    assert.deepEqual(await edit(addBackend('fresh')), { isChanged: true, isLive: true })
    assert.ok((await served()).includes('fresh/BACKEND'))
    assert.match(await read(), /^# kept\n/)
  })

  test(
    `a port in use is reported in HAProxy’s message, and the old configuration remains served, ${how}`,
    options,
    async (t) => {
      const { edit, served, read, taken } = await open(t, { hasMaster })
      const holder = createServer().listen(taken, '127.0.0.1')
      await once(holder, 'listening')
      t.after(() => holder.close())
      const before = await read()
      const refused = await edit(listenOn('second', taken)).then(() => 'accepted', messageOf)
      assert.match(refused, /^config_failed: .*[Cc]annot bind socket.*127\.0\.0\.1:/s)
      assert.equal(await read(), before)
      await until(async () => (await served()).includes('web/FRONTEND'))
      assert.ok(!(await served()).includes('second/FRONTEND'))
      assert.deepEqual(await edit(addBackend('after')), { isChanged: true, isLive: true })
    },
  )
}

test(
  'a refusal of haproxy -c is reported in its own message, with the path of the live file',
  options,
  async (t) => {
    const { edit, read, layout } = await open(t)
    const before = await read()
    const refused = await edit({ do: 'add-backend', name: 'x', mode: 'http', balance: 'nonsense' }).then(
      () => 'accepted',
      messageOf,
    )
    assert.match(refused, /balance only supports 'roundrobin'/)
    assert.ok(refused.includes(`[${layout.configPath}:`))
    assert.equal(await read(), before)
  },
)

test('a hundred concurrent edits are served after at most ten reloads', options, async (t) => {
  const { edit, served, haproxy } = await open(t)
  const before = await haproxy.program.processes()
  await Promise.all(Array.from({ length: 100 }, (_, index) => edit(addBackend(`b${index}`))))
  assert.ok((await haproxy.program.processes())!.reloads - before!.reloads <= 10)
  assert.equal((await served()).filter((name) => /^b\d+\/BACKEND$/.test(name)).length, 100)
})

test(
  'no request fails during twenty changes of the configuration',
  { ...options, timeout: 300_000 },
  async (t) => {
    const { edit, port, backendPort } = await open(t)
    const app = createServer((_request, answer) => void answer.end('here')).listen(backendPort, '127.0.0.1')
    await once(app, 'listening')
    t.after(() => app.close())
    let isChanging = true
    const failures: string[] = []
    let answered = 0
    const visit = async () => {
      while (isChanging) {
        const status = await fetch(`http://127.0.0.1:${port}/`, {
          headers: { connection: 'close' },
          signal: AbortSignal.timeout(hangMs),
        }).then(({ status }) => status, String)
        if (status === 200) answered++
        else failures.push(String(status))
      }
    }
    const visitors = Array.from({ length: 4 }, visit)
    t.after(() => (isChanging = false))
    for (let index = 0; index < 20; index++) {
      const before = answered
      await edit(addBackend(`while${index}`))
      await until(() => answered > before || failures.length > 0)
    }
    isChanging = false
    await Promise.all(visitors)
    assert.deepEqual(failures, [])
  },
)

test(
  'a server that was taken out of service through the socket stays out after a reload',
  options,
  async (t) => {
    const { edit, haproxy } = await open(t)
    const status = async () => (await haproxy.stats())!.find((row) => row['svname'] === 'a')!['status']
    const { setServerState } = haproxy.steps
    const args = { backend: 'app', server: 'a', state: 'maint' } as const
    const before = await setServerState.observe(args)
    await setServerState.act(args, stepRun(before))
    assert.equal(await setServerState.check(args, before), 'wanted')
    await edit(addBackend('other'))
    assert.equal(await status(), 'MAINT')
    await setServerState.undo(args, before)
    assert.notEqual(await status(), 'MAINT')
  },
)

test('distinguishes a file that was changed but not loaded from one that is served', options, async (t) => {
  const { haproxy, layout, read } = await open(t)
  const args = addBackend('late')
  const before = await haproxy.steps.editConfig.observe(args)
  assert.equal(await haproxy.steps.editConfig.check(args, before), 'before')
  await until(async () => Date.now() - (await haproxy.program.startedAt())! > 200)
  writeFileSync(layout.configPath, editText(await read(), args))
  assert.equal(await haproxy.steps.editConfig.check(args, before), 'other')
  await haproxy.steps.editConfig.undo(args, before)
  assert.equal(await haproxy.steps.editConfig.check(args, before), 'before')
})

test('a write that was too late reverts no concurrent change', options, async (t) => {
  const { haproxy, host, read } = await open(t)
  const { writeConfig, editConfig } = haproxy.steps
  const found = await read()
  const late = { content: `${found}# late\n`, over: digestOf(found) }
  const before = await writeConfig.observe(late)
  const edit = addBackend('shop')
  const beforeEdit = await editConfig.observe(edit)
  const faster = `${found}backend shop\n  mode tcp\n`
  await host.applyEdit(haproxy.tool, () => faster)
  await assert.rejects(async () => writeConfig.act(late, stepRun(before)), /configuration has changed/)
  await assert.rejects(async () => writeConfig.undo(late, before), /changed by somebody else meanwhile/)
  assert.equal(await read(), faster)
  await assert.rejects(async () => editConfig.act(edit, stepRun(beforeEdit)), /a backend shop already exists/)
  await assert.rejects(async () => editConfig.undo(edit, beforeEdit), /changed by somebody else meanwhile/)
  assert.equal(await read(), faster)
})
