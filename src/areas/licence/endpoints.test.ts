import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  licenceFor,
  licencePublicKey,
  type LicenceServer,
  signed,
  startLicenceServer,
} from '../../../test/support/licence-server.ts'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { areas } from '../../app/areas.ts'
import { area } from '../../core/area.ts'
import { signedIn } from '../../core/guard.ts'
import { succeeded, success } from '../../core/reply.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { websites } from '../websites/store.ts'

const { endpoint } = area.of<object>()
const clusters = area({
  name: 'clusters',
  title: 'Clusters',
  base: '/clusters',
  guard: signedIn,
  feature: 'clusters',
  errors: 'coded',
  endpoints: {
    readClusters: endpoint({
      method: 'GET',
      path: '',
      summary: 'Read behind a feature',
      effect: 'reads',
      reply: succeeded,
      run: () => success,
    }),
  },
  open: () => ({}),
})

const isRoot = process.getuid?.() === 0
const account = { uid: isRoot ? 1001 : (process.getgid?.() ?? 1001) }
const noLogLinks: Script = ([program]) => (program === 'find' ? { code: 1 } : undefined)

describe('a licence', () => {
  let panel: TestPanel
  let server: LicenceServer
  before(async () => {
    server = await startLicenceServer()
    panel = await openTestPanel({
      areas: [...areas, clusters],
      hasNginx: true,
      accounts: new Map([['ada', account]]),
      scripts: [noLogLinks],
      environment: {
        HOSTREEVE_DATA_DIR: '/var/lib',
        HOSTREEVE_LICENSE_URL: server.url,
        HOSTREEVE_LICENSE_PUBLIC_KEY: licencePublicKey,
      },
    })
    await panel.start()
  })
  after(async () => {
    await panel.close()
    await server.close()
  })

  const grant = async (draft: Parameters<typeof licenceFor>[0]) => {
    server.answer = (reply) => void reply.end(signed(licenceFor(draft)))
    const body = { license_key: 'KEY-1234-5678-9012' }
    return panel.request('POST', '/api/licence/activate', { as: panel.admin, body })
  }
  const read = () => panel.request('GET', '/api/licence', { as: panel.admin })
  const codeOfFeature = async () => {
    const { status, error } = await panel.request('GET', '/api/clusters', { as: panel.admin })
    return [status, error?.code]
  }
  const disabled = [403, 'feature_disabled']

  it('is missed by licensed features alone', async () => {
    assert.deepEqual(await codeOfFeature(), disabled)
    const { status, data } = await read()
    assert.equal(status, 200)
    const none = { license: null, features: {}, in_force: false, max_websites: null, can_activate: true }
    assert.deepEqual(data, none)
    assert.equal((await panel.request('GET', '/api/websites', { as: panel.admin })).status, 200)
  })

  it('gives its features at once, and takes back what its successor does not give', async () => {
    const { status, data } = await grant({})
    const features = { clusters: true, mailbox_backup: false }
    assert.deepEqual([status, data], [200, { success: true, features, tier: 'gold', status: 'active' }])
    assert.deepEqual(await codeOfFeature(), [200, undefined])
    const { data: shown } = await read()
    assert.deepEqual([shown.license.key, shown.in_force], ['KEY-••••••••9012', true])
    await grant({ features: { clusters: false } })
    assert.deepEqual(await codeOfFeature(), disabled)
  })

  it('gives nothing while it is blocked, or has a status other than active', async () => {
    for (const draft of [{ blocked: true }, { status: 'suspended' }]) {
      const { status, data } = await grant(draft)
      assert.deepEqual([status, data.success], [200, false])
      assert.deepEqual(await codeOfFeature(), disabled)
    }
  })

  it('gives nothing once it has expired', async ({ mock }) => {
    await grant({ expires_at: '2098-12-31T00:00:00Z' })
    assert.deepEqual(await codeOfFeature(), [200, undefined])
    mock.timers.enable({ apis: ['Date'], now: Date.parse('2099-01-01T00:00:00Z') })
    assert.equal(panel.gates.switches.isFeatureEnabled('clusters'), false)
    mock.timers.reset()
  })

  it('is undone with its change', async () => {
    await grant({ features: { clusters: false } })
    const { headers } = await grant({ features: { clusters: true } })
    assert.deepEqual(await codeOfFeature(), [200, undefined])
    const undo = `/api/activity/${headers['x-undo-id']}/undo`
    assert.equal((await panel.request('POST', undo, { as: panel.admin })).status, 200)
    assert.deepEqual(await codeOfFeature(), disabled)
  })

  it('is not planned with its key, nor asked for by a plan', async () => {
    const asked = server.asked.length
    const body = { license_key: 'KEY-1234-5678-9012' }
    const { status, text } = await panel.request('POST', '/api/licence/activate?plan=1', {
      as: panel.admin,
      body,
    })
    assert.equal(status, 200)
    assert.doesNotMatch(text, /KEY-1234-5678-9012/)
    assert.equal(server.asked.length, asked)
  })

  it('is for superusers, and each failure of the server has its code', async () => {
    const ada = await panel.person()
    const path = '/api/licence/activate'
    assert.equal((await panel.request('GET', '/api/licence', { as: ada })).status, 403)
    assert.equal((await panel.request('POST', path, { as: ada, body: {} })).status, 403)
    const codes = [
      [() => {}, undefined, 400, 'bad_request'],
      [(reply) => void reply.writeHead(403).end(), 'KEY', 400, 'activation_failed'],
      [(reply) => void reply.destroy(), 'KEY', 502, 'license_server_error'],
      [(reply) => void reply.end('no licence'), 'KEY', 500, 'decode_error'],
    ] as const satisfies readonly (readonly [LicenceServer['answer'], ...unknown[]])[]
    for (const [answer, license_key, status, code] of codes) {
      server.answer = answer
      const failed = await panel.request('POST', path, { as: panel.admin, body: { license_key } })
      assert.deepEqual([failed.status, failed.error.code], [status, code])
    }
  })

  it('that cannot be stored is not used', async ({ mock }) => {
    const write = mock.method(panel.host.files, 'write', () => Promise.reject(new Error('EACCES')))
    const { status, error } = await grant({})
    write.mock.restore()
    assert.deepEqual([status, error.code], [500, 'write_error'])
  })

  it('limits how many websites are created', async () => {
    const create = await withOneWebsite(panel)
    for (const [max_websites, expected] of [
      [0, [403, 'license_limit']],
      [1, [403, 'license_limit']],
      [2, [200, undefined]],
      [null, [200, undefined]],
    ] as const) {
      await grant({ max_websites })
      assert.deepEqual((await create()).slice(0, 2), expected, `${max_websites}`)
      assert.equal((await read()).data.max_websites, max_websites)
    }
  })
})

/** Adds a website to the store; the function that is returned plans a second one. */
async function withOneWebsite(panel: TestPanel) {
  const ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
  const row = websites.row({
    id: panel.store.nextId('websites'),
    domain: 'first.example.com',
    user_id: ada.id,
    username: 'ada',
    type: 'static',
    root: '/home/ada/sites/first.example.com/public',
    is_suspended: false,
    https_redirect: false,
    hsts: false,
    created_at: new Date().toISOString(),
    updated_at: new Date().toISOString(),
  })
  await panel.store.transaction((tx) => panel.store.write(tx, [websites.insert(row)]))
  return async () => {
    const body = { domain: 'second.example.com', type: 'static' }
    const { status, error } = await panel.request('POST', '/api/websites?plan=1', { as: ada, body })
    return [status, error?.code, error?.message]
  }
}

describe('the configuration', () => {
  for (const [most, licensed, expected] of [
    ['1', undefined, 'the configuration limits websites to 1: delete one, or raise max_websites'],
    ['0', 9, 'the configuration limits websites to 0: delete one, or raise max_websites'],
    ['5', 1, 'the licence limits websites to 1: delete one, or get a larger licence'],
    ['2', 5, undefined],
  ] as const)
    it(`limits websites to ${most} beside a licence for ${licensed ?? 'none'}`, async () => {
      const server = await startLicenceServer()
      const panel = await openTestPanel({
        hasNginx: true,
        accounts: new Map([['ada', account]]),
        scripts: [noLogLinks],
        environment: {
          HOSTREEVE_MAX_WEBSITES: most,
          HOSTREEVE_DATA_DIR: '/var/lib',
          HOSTREEVE_LICENSE_URL: server.url,
          HOSTREEVE_LICENSE_PUBLIC_KEY: licencePublicKey,
        },
      })
      try {
        await panel.start()
        server.answer = (reply) => void reply.end(signed(licenceFor({ max_websites: licensed ?? null })))
        const body = { license_key: 'KEY' }
        if (licensed !== undefined)
          await panel.request('POST', '/api/licence/activate', { as: panel.admin, body })
        const refused = [403, 'license_limit', expected]
        const create = await withOneWebsite(panel)
        assert.deepEqual(await create(), expected === undefined ? [200, undefined, undefined] : refused)
        const { data } = await panel.request('GET', '/api/licence', { as: panel.admin })
        assert.equal(data.max_websites, Math.min(Number(most), licensed ?? Infinity))
      } finally {
        await panel.close()
        await server.close()
      }
    })

  it('gives features without a licence, also where the stored one is not valid', async () => {
    const panel = await openTestPanel({
      areas: [...areas, clusters],
      environment: { HOSTREEVE_FEATURES: 'other, clusters', HOSTREEVE_DATA_DIR: '/var/lib' },
    })
    try {
      assert.equal((await panel.request('GET', '/api/clusters', { as: panel.admin })).status, 200)
      const body = { license_key: 'KEY' }
      const { status, error } = await panel.request('POST', '/api/licence/activate', {
        as: panel.admin,
        body,
      })
      assert.deepEqual([status, error.code], [400, 'activation_failed'])
      assert.match(error.message, /license_url/)
    } finally {
      await panel.close()
    }
  })
})
