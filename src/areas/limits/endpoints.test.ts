import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { insertRow } from '../../store/rows.ts'
import type { Script } from '../../host/testing/scripted-run.ts'

const path = '/etc/systemd/system/user-1001.slice.d/hostreeve.conf'

describe('limits of hosting users', () => {
  let panel: TestPanel
  let ada: Person
  let bob: Person
  const host: Script = (argv) => {
    if (argv[0] === 'find') return { code: 1 }
    if (argv[0] !== 'systemctl' || argv[1] !== 'show' || !argv.includes('user-1001.slice')) return undefined
    return { stdout: 'Id=user-1001.slice\nMemoryCurrent=1048576\nTasksCurrent=7\nCPUUsageNSec=1500000000\n' }
  }
  before(async () => {
    panel = await openTestPanel({
      hasNginx: true,
      accounts: new Map([
        ['ada', { uid: 1001 }],
        ['bob', { uid: 1002 }],
      ]),
      scripts: [host],
    })
    await panel.host.files.makeDirectory('/run/systemd/system')
    await panel.host.files.makeDirectory('/sys/fs/cgroup')
    await panel.host.files.write('/sys/fs/cgroup/cgroup.controllers', 'cpu memory\n')
    await panel.start()
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    bob = await panel.person({ username: 'bob', permissions: ['websites_management'] })
  })
  after(() => panel.close())

  const read = async (as = panel.admin) => (await panel.request('GET', '/api/limits', { as })).data
  const set = (body: unknown, as = panel.admin) => panel.request('POST', '/api/limits', { as, body })
  const file = () => panel.host.files.read(path)

  it('are none at first, and name what the host cannot limit', async () => {
    const { reason, packages, users } = await read()
    assert.equal(reason, 'the kernel of this host has no cgroup controller for tasks')
    assert.deepEqual(packages, [])
    assert.deepEqual(
      users.map(({ username, package: name, limits }: any) => [username, name, limits.websites]),
      [
        ['ada', null, null],
        ['bob', null, null],
      ],
    )
  })

  it('are those of a package, also once it changes', async () => {
    const small = { name: 'Small', limits: { websites: 0, memory_mb: 512, tasks: 100 } }
    const given = await set({ packages: [small], users: [{ user_id: ada.id, package: 'Small' }] })
    assert.equal(given.status, 200)
    assert.match((await file()) ?? '', /^MemoryMax=512M$/m)
    assert.equal(
      (await set({ packages: [{ ...small, limits: { websites: 0, memory_mb: 256 } }] })).status,
      200,
    )
    assert.match((await file()) ?? '', /^MemoryMax=256M$/m)
    assert.doesNotMatch((await file()) ?? '', /TasksMax/)
    const { packages, users } = await read()
    assert.deepEqual(
      packages.map(({ name, users: count }: any) => [name, count]),
      [['Small', 1]],
    )
    assert.deepEqual([users[0].package, users[0].limits.memory_mb], ['Small', 256])
  })

  it('are shown to the user, with what is used, and nothing of others', async () => {
    const { packages, users } = await read(ada)
    assert.deepEqual(packages, [])
    assert.equal(users.length, 1)
    const { memory_bytes, tasks, cpu_seconds, disk_bytes } = users[0].usage
    assert.deepEqual([memory_bytes, tasks, cpu_seconds, disk_bytes], [1_048_576, 7, 1.5, null])
    assert.deepEqual((await read(await panel.person())).users, [])
    const refused = await set({ users: [] }, ada)
    assert.deepEqual([refused.status, refused.error.code], [403, 'forbidden'])
  })

  it('refuse one website too many', async () => {
    const body = { domain: 'ada.example.com', type: 'static' }
    const { status, error } = await panel.request('POST', '/api/websites', { as: ada, body })
    assert.deepEqual([status, error.code], [403, 'limit_reached'])
    assert.equal(error.message, 'ada may have 0 websites, and has 0')
  })

  it('end with a limit of nothing', async () => {
    const own = { user_id: ada.id, limits: { disk_mb: 1 } }
    assert.equal((await set({ packages: [], users: [own] })).status, 200)
    assert.equal(await file(), undefined)
    await panel.store.transaction((tx) =>
      panel.store.write(tx, [
        insertRow('home_sizes', {
          user_id: ada.id,
          bytes: 2 * 1024 * 1024,
          measured_at: new Date().toISOString(),
        }),
      ]),
    )
    assert.deepEqual((await read(ada)).users[0].exceeded, ['disk_mb'])
  })

  it('refuse what is not possible, and name it', async () => {
    const small = { name: 'Small', limits: {} }
    await set({ packages: [small], users: [{ user_id: bob.id, package: 'Small' }] })
    for (const [body, status, message] of [
      [{ packages: [] }, 409, /bob has the package Small/],
      [{ packages: [small, small] }, 400, /two packages have the same name/],
      [{ users: [{ user_id: bob.id, package: 'None' }] }, 400, /there is no package None/],
      [{ users: [{ user_id: 424_242 }] }, 400, /424242 is not a hosting user/],
      [{ users: [{ user_id: bob.id }, { user_id: bob.id }] }, 400, /occurs twice/],
      [{ users: [{ user_id: bob.id, package: 'Small', limits: {} }] }, 400, /a package or limits of its own/],
      [{ users: [{ user_id: bob.id, limits: { memory_mb: 1 } }] }, 400, /memory_mb/],
      [{ users: [{ user_id: bob.id, limits: { tasks: -1 } }] }, 400, /tasks/],
      [{ packages: [{ name: 'a\nb', limits: {} }] }, 400, /name/],
    ] as const) {
      const { status: answered, error } = await set(body)
      assert.equal(answered, status, JSON.stringify(body))
      assert.equal(error.code, status === 409 ? 'conflict' : 'bad_request')
      assert.match(error.message, message)
    }
  })
})
