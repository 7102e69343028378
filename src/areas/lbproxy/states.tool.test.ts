import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { openTestPanel } from '../../../test/support/panel.ts'
import { scratchHead, startScratchHaproxy, haproxySkipReason } from '../../tools/haproxy/testing/scratch.ts'
import { until } from '../../../test/support/until.ts'
import { freePorts } from '../../../test/support/free-ports.ts'

const options = { skip: haproxySkipReason(), timeout: 300_000 }

const text = (port: number) => `${scratchHead}frontend web
  bind 127.0.0.1:${port}
  default_backend app
backend app
  server a 127.0.0.1:9
  server b 127.0.0.1:9
`

async function open(t: TestContext, { hasMaster = true } = {}) {
  const [port] = (await freePorts(1)) as [number]
  const scratch = await startScratchHaproxy(text(port), { hasMaster })
  t.after(scratch.stop)
  const start = async () => {
    const panel = await openTestPanel({ haproxy: scratch.options, dataDir: `${scratch.directory}/data` })
    await panel.start()
    return panel
  }
  let panel = await start()
  t.after(() => panel.close())
  const restartPanel = async (meanwhile: () => Promise<void>) => {
    await panel.close()
    await meanwhile()
    panel = await start()
    return panel
  }
  const put = (server: string, body: object) =>
    panel.request('PUT', `/api/lbproxy/backends/app/servers/${server}`, {
      as: panel.admin,
      body: { name: server, address: '127.0.0.1', port: 9, check: false, ...body },
    })
  const statuses = async () => {
    const rows = ((await scratch.haproxy.stats()) ?? []).filter(
      (row) => row['pxname'] === 'app' && row['svname'] !== 'BACKEND',
    )
    return rows.map((row) => `${row['svname']} ${row['status']}`)
  }
  const become = (...wanted: string[]) => until(async () => (await statuses()).join() === wanted.join())
  return { ...scratch, panel, put, become, restartPanel }
}

for (const hasMaster of [true, false]) {
  test(
    `a server out of service stays out when HAProxy is killed and restarted, ${hasMaster ? 'under' : 'without'} a master`,
    options,
    async (t) => {
      const { put, become, kill, starter } = await open(t, { hasMaster })
      assert.equal((await put('a', { state: 'maint' })).status, 200)
      assert.equal((await put('b', { state: 'drain' })).status, 200)
      await become('a MAINT', 'b DRAIN')
      await kill()
      await starter.start()
      await become('a MAINT', 'b DRAIN')
      await put('a', { state: 'ready' })
      await kill()
      await starter.start()
      await become('a no check', 'b DRAIN')
    },
  )
}

test('a server out of service stays out after an external reload of HAProxy', options, async (t) => {
  const { put, become, haproxy } = await open(t)
  await put('a', { state: 'drain' })
  for (let reload = 0; reload < 3; reload++) {
    const before = (await haproxy.program.processes())!
    haproxy.program.signalReload(before.master)
    await until(async () => ((await haproxy.program.processes())?.reloads ?? 0) > before.reloads)
    await become('a DRAIN', 'b no check')
  }
})

test('a renamed server keeps its state, and a removed one leaves none behind', options, async (t) => {
  const { put, become, panel } = await open(t)
  const rows = async () =>
    (await panel.store.db.selectFrom('lbproxy_states').selectAll().execute()).map(
      ({ server, state }) => `${server} ${state}`,
    )
  await put('a', { state: 'maint' })
  const renamed = await put('a', { name: 'a2' })
  assert.equal(renamed.status, 200, renamed.text)
  await become('a2 MAINT', 'b no check')
  assert.deepEqual(await rows(), ['a2 maint'])
  assert.equal(
    (await panel.request('DELETE', '/api/lbproxy/backends/app/servers/a2', { as: panel.admin })).status,
    200,
  )
  assert.deepEqual(await rows(), [])
})

test('a state set manually through the socket takes precedence from then on', options, async (t) => {
  const { put, become, panel, haproxy, kill, starter } = await open(t)
  await put('a', { state: 'maint' })
  await put('b', { state: 'maint' })
  await panel.request('GET', '/api/lbproxy/status', { as: panel.admin })
  await haproxy.states.set({ backend: 'app', server: 'a', state: 'ready' })
  await haproxy.states.set({ backend: 'app', server: 'b', state: 'drain' })
  await panel.request('GET', '/api/lbproxy/status', { as: panel.admin })
  await kill()
  await starter.start()
  await become('a no check', 'b DRAIN')
})

test(
  'a panel that starts after HAProxy restores the states, and forgets servers that no longer exist',
  options,
  async (t) => {
    const { put, become, kill, starter, layout, read, restartPanel, haproxy } = await open(t)
    await put('a', { state: 'maint' })
    await put('b', { state: 'maint' })
    const panel = await restartPanel(async () => {
      await kill()
      writeFileSync(layout.configPath, (await read()).replace(/.*server b.*\n/, ''))
      await starter.start()
      assert.deepEqual(await haproxy.states.forced(), [])
    })
    await become('a MAINT')
    await until(
      async () => (await panel.store.db.selectFrom('lbproxy_states').selectAll().execute()).length === 1,
    )
  },
)
