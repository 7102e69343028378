import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { until } from '../../../test/support/until.ts'
import { createPreAuthKey } from '../headscale/keys.ts'
import { approveRoutes } from '../headscale/nodes.ts'
import { listNodes } from '../headscale/objects.ts'
import { makePanelKey } from '../headscale/panel-key.ts'
import { type ScratchHeadscale, startHeadscale } from '../headscale/testing/scratch.ts'
import { createUser } from '../headscale/users.ts'
import { awaitAnswer } from './await-answer.ts'
import { openClient, readAdvertised, readLocalNode } from './client.ts'
import { innerDirectory, programDirectory, socketPath, stateDirectory } from './layout.ts'
import { architectureHere, isUnpacked, unpack } from './program.ts'
import { advertise, join } from './steps.ts'

const refused = () => Promise.reject(new Error('only the archive is fetched'))

describe('a mesh client that really runs', () => {
  let scratch: ScratchHeadscale | undefined
  let daemon: ChildProcess | undefined
  const it = (title: string, run: (on: ScratchHeadscale) => Promise<void>) =>
    test(title, async (t) => (scratch === undefined ? t.skip('tailscale is not built') : run(scratch)))
  before(async () => void (scratch = await startHeadscale()))
  after(async () => {
    daemon?.kill()
    if (daemon) await once(daemon, 'exit')
    await scratch?.stop()
  })

  it('is unpacked from its archive, and answers', async ({ root, host, programs }) => {
    const archive = `${programs}/tailscale.tgz`
    const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex')
    const open = async () => ({
      ...{ stream: createReadStream(archive), offset: 0, sizeBytes: undefined, validator: undefined },
    })
    const fetch = { open, stream: refused, post: refused, exchange: refused, peer: refused, readKey: refused }
    const file = `${innerDirectory(architectureHere())}.tgz`
    await unpack({ ...host, fetch }).act({ bases: ['http://source.test'], file, sha256 }, stepRun(null))
    assert.ok(await isUnpacked(host))
    mkdirSync(dirname(root + socketPath), { recursive: true })
    mkdirSync(root + stateDirectory, { mode: 0o700 })
    const program = `${root}${programDirectory(architectureHere())}/tailscaled`
    const flags = ['--no-logs-no-support', `--statedir=${root}${stateDirectory}`, '--port=0']
    const more = [`--socket=${root}${socketPath}`, '--tun=userspace-networking']
    daemon = spawn(program, [...flags, ...more], { stdio: 'ignore' })
    await awaitAnswer(openClient(host)).act(null, stepRun(null))
    assert.deepEqual(await readLocalNode(openClient(host)), { state: 'NeedsLogin', addresses: [] })
  })

  it('joins with a key, which stays nowhere', async ({ root, host, api, port }) => {
    await makePanelKey(host).act(null, stepRun({ text: null }))
    const { id } = await createUser(api).act({ name: 'admin' }, stepRun({ was: null }))
    const expires_at = new Date(Date.now() + 600_000).toISOString()
    const made = await createPreAuthKey(api).act(
      { user_id: id, reusable: false, ephemeral: false, tags: [], expires_at },
      stepRun({ ids: [] }),
    )
    const joining = join(host, openClient(host))
    const args = { server: `http://127.0.0.1:${port}`, hostname: 'gateway', key: made.key }
    await joining.act(args, stepRun(null))
    assert.equal(await joining.check(args, null), 'wanted')
    assert.ok(!existsSync(`${root}${stateDirectory}/join-key`))
    const local = await readLocalNode(openClient(host))
    const [node] = await listNodes(api)
    assert.deepEqual([node?.name, node?.user?.name, node?.addresses], ['gateway', 'admin', local.addresses])
  })

  it('offers networks and the internet, which the control server enables', async ({ host, api }) => {
    const client = openClient(host)
    const kind = advertise(client)
    const routes = ['0.0.0.0/0', '10.1.0.0/24', '::/0']
    const former = await kind.observe({ routes })
    await kind.act({ routes }, stepRun(former))
    assert.deepEqual(await readAdvertised(client), routes)
    assert.equal(await kind.check({ routes }, former), 'wanted')
    const [node] = await until(async () => {
      const nodes = await listNodes(api)
      return nodes[0]?.advertised.length === 3 && nodes
    })
    const approving = approveRoutes(api)
    const args = { id: node?.id ?? 0, name: 'gateway', add: routes, remove: [] }
    const before = await approving.observe(args)
    await approving.act(args, stepRun(before))
    assert.equal(await approving.check(args, before), 'wanted')
    await approving.undo(args, before)
    assert.deepEqual((await listNodes(api))[0]?.approved, [])
    await kind.undo({ routes }, former)
    assert.deepEqual(await readAdvertised(client), [])
  })

  it('leaves the mesh, and does so once more without a failure', async ({ host }) => {
    const client = openClient(host)
    const joining = join(host, client)
    const args = { server: '', hostname: 'gateway', key: '' }
    for (const time of ['once', 'twice']) {
      await joining.undo(args, null)
      assert.equal(await joining.check(args, null), 'before', time)
    }
  })
})
