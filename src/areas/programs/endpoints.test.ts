import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'

const isRoot = process.getuid?.() === 0

describe('programs', () => {
  let panel: TestPanel
  before(async () => void (panel = await openTestPanel()))
  after(async () => {
    mock.restoreAll()
    await panel.close()
  })

  const ask = (method: string, path: string, as = panel.admin) =>
    panel.request(method, `/api/programs${path}`, { as })

  const as = (uid: number) => mock.method(process as { getuid: () => number }, 'getuid', () => uid)

  test('lists the programs that the panel manages, with the reason why one cannot be used', async () => {
    as(0)
    const { status, data } = await ask('GET', '')
    assert.equal(status, 200)
    const nginx = data.find(({ name }: { name: string }) => name === 'nginx')
    assert.deepEqual(
      [nginx.present, nginx.version, nginx.healthy, nginx.reason],
      [true, '1.22.1', false, 'nginx is not set up for the panel'],
    )
  })

  test('lists the areas as the menu shows them to the caller: unavailable ones with the reason, and forbidden ones', async () => {
    const areasOf = async (person: { readonly token: string }) =>
      new Map(
        (await panel.request('GET', '/api/programs/areas', { as: person })).data.map(
          (area: { name: string }) => [area.name, area],
        ),
      ) as Map<string, any>
    const [mine, theirs] = [
      await areasOf(panel.admin),
      await areasOf(await panel.person({ permissions: ['websites_management'] })),
    ]
    assert.deepEqual(
      [mine.get('websites').available, mine.get('websites').reason],
      [false, 'nginx is not set up for the panel'],
    )
    assert.deepEqual(
      [theirs.get('websites').allowed, theirs.get('users').allowed, mine.get('users').allowed],
      [true, false, true],
    )
    mock.restoreAll()
  })

  test(
    'installs a program as a stored job that its caller can follow',
    { skip: !isRoot && 'only root installs programs' },
    async () => {
      const { status, data } = await ask('POST', '/nginx/install')
      assert.equal(status, 202)
      const job = await panel.request('GET', `/api/jobs/${data.job_id}`, { as: panel.admin })
      assert.deepEqual(
        [job.data.kind, job.data.title, job.data.owner_id, job.data.state],
        ['programs.install', 'Install nginx', panel.admin.id, 'queued'],
      )
      await panel.start()
      const { text } = await panel.request('GET', `/api/jobs/${data.job_id}/events`, { as: panel.admin })
      assert.match(text, /nginx is set up[\s\S]*"state":"succeeded"/) // the latest of the progress within a moment is told
      assert.equal(
        (await ask('GET', '')).data.find(({ name }: { name: string }) => name === 'nginx').healthy,
        true,
      )
    },
  )

  test(
    'accepts the installation of a healthy program as a job',
    { skip: !isRoot && 'only root installs programs' },
    async () => {
      const { status, data } = await ask('POST', '/nginx/install')
      assert.equal(status, 202)
      assert.ok(data.job_id > 0)
    },
  )

  test('reports that only root can install, if the panel does not run as root', async () => {
    const asOrdinaryUser = await openTestPanel()
    as(1000)
    const { status, error } = await asOrdinaryUser.request('POST', '/api/programs/nginx/install', {
      as: asOrdinaryUser.admin,
    })
    assert.deepEqual([status, error.code], [503, 'unavailable'])
    assert.match(error.message, /root/)
    mock.restoreAll()
    await asOrdinaryUser.close()
  })

  test('returns 404 for a program that no area needs', async () => {
    const { status, error } = await ask('POST', '/emacs/install')
    assert.deepEqual(
      [status, error.code, error.message],
      [404, 'not_found', 'name: no area needs a program emacs'],
    )
    assert.equal((await ask('POST', `/${'x'.repeat(51)}/install`)).error.code, 'bad_request')
  })

  test('is for superusers, except for the menu', async () => {
    const person = await panel.person({ permissions: ['administrative_operations'] })
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/nginx/install'],
    ] as const) {
      assert.equal((await ask(method, path, person)).error.code, 'forbidden')
      assert.equal((await panel.request(method, `/api/programs${path}`)).error.code, 'unauthorized')
    }
    assert.equal((await panel.request('GET', '/api/programs/areas')).error.code, 'unauthorized')
  })
})
