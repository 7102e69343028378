import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { areas } from '../../app/areas.ts'
import {
  releaseEntry as release,
  type ReleaseIndex,
  releaseKey,
  startReleaseIndex,
} from './testing/release-index.ts'

const path = '/api/system/selfupdate'

describe('an update of the panel', () => {
  let server: ReleaseIndex
  let panel: TestPanel
  before(async () => {
    server = await startReleaseIndex()
    panel = await openTestPanel({
      areas,
      environment: { HOSTREEVE_UPDATE_URL: server.url, HOSTREEVE_UPDATE_PUBLIC_KEY: releaseKey },
    })
  })
  after(async () => {
    await panel.close()
    server.close()
  })

  const read = async () => (await panel.request('GET', path, { as: panel.admin })).data
  const offer = (...releases: readonly unknown[]) => {
    server.text = JSON.stringify(releases)
  }
  const refused = async (message: RegExp) => {
    const { status, json } = await panel.request('POST', path, { as: panel.admin })
    assert.equal(status, 500)
    assert.match(json.error, message)
    assert.match((await read()).reason, message)
  }

  it('is for superusers alone', async () => {
    const user = await panel.person()
    for (const method of ['GET', 'POST']) {
      const forbidden = await panel.request(method, path, { as: user })
      assert.deepEqual([forbidden.status, forbidden.error.code], [403, 'forbidden'])
    }
    const unauthorized = await panel.request('POST', path)
    assert.deepEqual([unauthorized.status, unauthorized.error.code], [401, 'unauthorized'])
  })

  it('is not offered by a server that has nothing newer, or nothing for this host', async () => {
    offer()
    await refused(/no version newer/)
    offer(release('0.0.0'))
    await refused(/no version newer/)
    offer(release('99.0.0', { architecture: 'sparc' }))
    await refused(/architecture/)
  })

  it('is refused where the signature is of something else, also where an older release is signed rightly', async () => {
    offer(release('99.0.0', { signs: '98.0.0' }), release('98.0.0'))
    await refused(/signature of version 99\.0\.0 is wrong/)
    offer({ ...release('99.0.0'), notes: 'Other notes' })
    await refused(/signature of version 99\.0\.0 is wrong/)
    offer({ ...release('99.0.0'), signature: 'not base64!' })
    await refused(/signature of version 99\.0\.0 is wrong/)
  })

  it('is refused where the index is none', async () => {
    for (const [text, message] of [
      ['<html>', /not JSON/],
      ['{}', /must be a list/],
      [JSON.stringify([{ ...release('99.0.0'), version: '../../etc' }]), /must be a list/],
      [JSON.stringify([{ ...release('99.0.0'), sha256: 'A' }]), /must be a list/],
      ['[', /not JSON/],
    ] as const) {
      server.text = text
      await refused(message)
    }
  })

  it('is refused for a panel that runs from a checkout', async () => {
    offer(release('99.0.0'))
    await refused(/runs from a checkout/)
    const { version, available, previous, last } = await read()
    assert.match(version, /^\d+\.\d+\.\d+/)
    assert.deepEqual([available, previous, last], [null, null, null])
  })
})

for (const [missing, environment] of [
  ['update_url', {}],
  ['update_public_key', { HOSTREEVE_UPDATE_URL: 'http://127.0.0.1:9/index.json' }],
] as const)
  it(`names ${missing} where it is not set`, async (t) => {
    const panel = await openTestPanel({ areas, environment })
    t.after(() => panel.close())
    const { data } = await panel.request('GET', path, { as: panel.admin })
    assert.match(data.reason, new RegExp(`set ${missing}`))
    const { status, json } = await panel.request('POST', path, { as: panel.admin })
    assert.deepEqual([status, json.error], [500, data.reason])
  })
