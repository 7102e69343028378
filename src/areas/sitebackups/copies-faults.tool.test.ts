import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { asOwner, skip } from '../../host/owner/testing/homes.ts'
import { type StandInBucket, standInBucket } from '../../tools/s3/testing/server.ts'

const uid = 61_047
/** A request that the server fails is sent so often, and no more. */
const attempts = { 500: 3, closed: 3, 403: 1 }
const faults = [500, 403, 'closed'] as const

describe('copies of backups on an S3 server that fails', { skip }, () => {
  let bucket: StandInBucket
  let panel: TestPanel
  let folder: string
  let ada: Person
  let site: number
  let domain: string
  let made = 0

  before(async () => {
    bucket = await standInBucket()
    folder = mkdtempSync('/tmp/hostreeve-faults-')
    chmodSync(folder, 0o755)
    mkdirSync(`${folder}/ada`)
    chownSync(`${folder}/ada`, uid, uid)
    panel = await openTestPanel({
      accounts: new Map([['ada', { uid, home: `${folder}/ada` }]]),
      hasNginx: true,
      programs: ['ln'],
    })
    mkdirSync(`${panel.root}/root`)
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    await panel.start()
    const s3 = { s3_endpoint: bucket.endpoint, s3_bucket: 'backups', s3_access_key: 'a', s3_secret_key: 'b' }
    const { status, text } = await panel.request('POST', '/api/settings/backup', {
      as: panel.admin,
      body: { ...s3, s3_prefix: 'web1', remote_enabled: 1 },
    })
    assert.equal(status, 200, text)
  })
  after(async () => {
    await panel.close()
    await bucket.close()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    made += 1
    domain = `faulty${made}.test`
    bucket.fault = () => undefined
    site = await addWebsite(panel, { domain, userId: ada.id, username: 'ada' })
    sh(`mkdir -p sites/${domain}/public`)
  })

  const sh = (script: string) =>
    asOwner({ name: 'ada', uid, gid: uid, home: `${folder}/ada` }, 'sh', '-c', script)
  const write = (text: string) => sh(`echo ${text} > sites/${domain}/public/index.html`)
  const page = () => readFileSync(`${folder}/ada/sites/${domain}/public/index.html`, 'utf8').trim()
  const ask = (method: string, path: string, body?: object, as = ada) =>
    panel.request(method, `/api${path}`, { as, ...(body && { body }) })
  const backUp = async (text: string, set = 'default') => {
    write(text)
    const answer = await ask('POST', `/websites/${site}/backups`, { set })
    const name = /"type":"done","name":"([^"]+)"/.exec(answer.text)?.[1]
    return name ?? assert.fail(answer.text)
  }
  const job = async (id: number) => (await ask('GET', `/jobs/${id}`, undefined, panel.admin)).data
  const hasEnded = ({ state }: { readonly state: string }) => !['queued', 'running'].includes(state)
  /** The end of the job that copies a backup. */
  const copied = (name: string): Promise<any> =>
    until(async () => {
      const { items } = (await ask('GET', '/jobs?per_page=500', undefined, panel.admin)).data
      const found = items.find(
        (each: any) => each.title === `Copy the backup ${name} of ${domain} to S3` && hasEnded(each),
      )
      return found === undefined ? undefined : job(found.id)
    })
  const restored = async (name: string): Promise<any> => {
    const { status, data, text } = await ask('POST', `/websites/${site}/backups/${name}/restore`, {})
    assert.equal(status, 202, text)
    return until(async () => {
      const found = await job(data.job_id)
      return hasEnded(found) ? found : undefined
    })
  }
  const keys = () => [...bucket.objects.keys()].filter((key) => key.includes(domain))
  const isOf = (name: string, file: string) => (key: string) => key.endsWith(`/${name}/${file}`)
  const shown = async () =>
    (await ask('GET', `/websites/${site}/backups`)).data.items.map(({ name, source, is_copied }: any) => [
      name,
      source,
      is_copied,
    ])
  const depot = () => `${panel.root}/var/lib/hostreeve/backups/websites/ada/${domain}`
  const loseLocal = () => rmSync(depot(), { recursive: true })

  for (const fault of faults)
    test(`with ${fault} at the last object of a copy: it is not listed, and the next job makes it`, async () => {
      const first = await backUp('one')
      assert.equal((await copied(first)).state, 'succeeded')
      bucket.asked.length = 0
      bucket.fault = ({ method, key }) =>
        method === 'PUT' && key.endsWith('/manifest.json') ? fault : undefined
      const second = await backUp('two')
      const { state, error } = await copied(second)
      assert.deepEqual([state, typeof error], ['failed', 'string'])
      const puts = bucket.asked.filter(
        ({ method, key }) => method === 'PUT' && isOf(second, 'manifest.json')(key),
      )
      assert.equal(puts.length, attempts[fault])
      assert.deepEqual(
        keys().filter((key) => key.includes(second)),
        [],
        'nothing is left of it',
      )
      assert.deepEqual(await shown(), [
        [second, 'local', false],
        [first, 'local', true],
      ])
      bucket.fault = () => undefined
      const third = await backUp('three')
      assert.equal((await copied(third)).state, 'succeeded')
      loseLocal()
      assert.deepEqual(
        (await shown()).map(([name]: any) => name),
        [third, second, first],
      )
      assert.equal((await restored(second)).state, 'succeeded')
      assert.equal(page(), 'two')
    })

  test('from the first object on: a part of a copy that cannot be removed is not listed', async () => {
    let isStored = false
    bucket.fault = ({ method }) => {
      if (isStored) return 500
      isStored = method === 'PUT'
      return undefined
    }
    const name = await backUp('one')
    assert.equal((await copied(name)).state, 'failed')
    bucket.fault = () => undefined
    assert.equal(keys().length, 1)
    assert.deepEqual(await shown(), [[name, 'local', false]])
    loseLocal()
    assert.deepEqual(await shown(), [])
    const next = await backUp('two')
    assert.equal((await copied(next)).state, 'succeeded')
    loseLocal()
    assert.deepEqual(await shown(), [[next, 's3', true]])
    assert.equal((await restored(next)).state, 'succeeded')
    assert.equal(page(), 'two')
  })

  for (const fault of [...faults, 'half'] as const)
    test(`with ${fault} while a copy is restored: the website stays, and the copy restores later`, async () => {
      const name = await backUp('one')
      assert.equal((await copied(name)).state, 'succeeded')
      loseLocal()
      write('later')
      bucket.asked.length = 0
      const isArchive = isOf(name, `${name}.tar.gz`)
      bucket.fault = ({ method, key }) => (method === 'GET' && isArchive(key) ? fault : undefined)
      assert.equal((await restored(name)).state, 'failed')
      assert.equal(
        bucket.asked.filter(({ key }) => isArchive(key)).length,
        fault === 'half' ? 1 : attempts[fault],
      )
      assert.equal(page(), 'later')
      assert.ok(!readdirSync(`${folder}/ada/sites`).some((each) => each.startsWith('.hostreeve')))
      assert.deepEqual(
        (await shown()).filter(([each]: any) => each === name),
        [[name, 's3', true]],
      )
      bucket.fault = () => undefined
      assert.equal((await restored(name)).state, 'succeeded')
      assert.equal(page(), 'one')
    })

  test('that keeps objects under retention: the job tells so, and the deletion is refused', async () => {
    const set = { name: 'only', files: false, databases: true, keep: 1 }
    assert.equal((await ask('POST', `/websites/${site}/backups/sets`, set)).status, 200)
    const old = await backUp('one', 'only')
    assert.equal((await copied(old)).state, 'succeeded')
    const body = '<Error><Code>AccessDenied</Code><Message>protected by object lock</Message></Error>'
    bucket.fault = ({ method }) => (method === 'DELETE' ? { status: 403, body } : undefined)
    const kept = await backUp('two', 'only')
    const { id, state } = await copied(kept)
    assert.equal(state, 'succeeded')
    const events = (await ask('GET', `/jobs/${id}/events`, undefined, panel.admin)).text
    assert.ok(events.includes(`S3 keeps ${old} until the retention ends`), events)
    assert.deepEqual(await shown(), [
      [kept, 'local', true],
      [old, 's3', true],
    ])
    const { status, error } = await ask('DELETE', `/websites/${site}/backups/${kept}`)
    assert.deepEqual([status, error.code, /retention/.test(error.message)], [400, 's3_error', true])
    assert.deepEqual((await shown())[0], [kept, 'local', true], 'the backup on the host stays too')
  })
})
