import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { asOwner, skip } from '../../host/owner/testing/homes.ts'
import { type StandInBucket, standInBucket } from '../../tools/s3/testing/server.ts'

const uid = 61_043

describe('copies of backups of websites on S3', { skip }, () => {
  let bucket: StandInBucket
  let panel: TestPanel
  let folder: string
  let ada: Person
  let site: number
  let domain: string
  let made = 0

  before(async () => {
    bucket = await standInBucket()
    folder = mkdtempSync('/tmp/hostreeve-copies-')
    chmodSync(folder, 0o755)
    mkdirSync(`${folder}/ada`)
    chownSync(`${folder}/ada`, uid, uid)
    panel = await openTestPanel({
      accounts: new Map([['ada', { uid, home: `${folder}/ada` }]]),
      hasNginx: true,
      programs: ['gpg', 'gpgconf', 'ln'],
    })
    mkdirSync(`${panel.root}/root`)
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    await panel.start()
    await configure({ remote_enabled: 1 })
  })
  after(async () => {
    await panel.close()
    await bucket.close()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    made += 1
    domain = `copied${made}.test`
    site = await addWebsite(panel, { domain, userId: ada.id, username: 'ada' })
    sh(`mkdir -p sites/${domain}/public; echo one > sites/${domain}/public/index.html`)
  })

  const sh = (script: string) =>
    asOwner({ name: 'ada', uid, gid: uid, home: `${folder}/ada` }, 'sh', '-c', script)
  const page = () => readFileSync(`${folder}/ada/sites/${domain}/public/index.html`, 'utf8')
  const ask = (method: string, path: string, body?: object, as = ada) =>
    panel.request(method, `/api${path}`, { as, ...(body && { body }) })
  const configure = async (settings: object) => {
    const s3 = { s3_endpoint: bucket.endpoint, s3_bucket: 'backups', s3_access_key: 'a', s3_secret_key: 'b' }
    const body = { ...s3, s3_prefix: 'web1', ...settings }
    const { status, text } = await ask('POST', '/settings/backup', body, panel.admin)
    assert.equal(status, 200, text)
  }
  const jobEnd = async (id: number) => {
    let job: any
    await until(async () => {
      job = (await ask('GET', `/jobs/${id}`, undefined, panel.admin)).data
      return !['queued', 'running'].includes(job.state)
    })
    return job
  }
  /** Makes a backup and returns its name. */
  const backUp = async (text: string) => {
    sh(`echo ${text} > sites/${domain}/public/index.html`)
    const answer = await ask('POST', `/websites/${site}/backups`, { set: 'default' })
    const name = /"type":"done","name":"([^"]+)"/.exec(answer.text)?.[1]
    return name ?? assert.fail(answer.text)
  }
  const keys = () => [...bucket.objects.keys()].filter((key) => key.includes(domain))
  const manifest = (name: string) => `web1/websites/ada/${domain}/${name}/manifest.json`
  const isCopied = (name: string) => until(async () => bucket.objects.has(manifest(name)))
  const list = async () => (await ask('GET', `/websites/${site}/backups`)).data.items
  const loseLocal = () =>
    rmSync(`${panel.root}/var/lib/hostreeve/backups/websites/ada/${domain}`, { recursive: true })
  const restore = async (name: string, body: object = {}) => {
    const { status, data, text } = await ask('POST', `/websites/${site}/backups/${name}/restore`, body)
    assert.equal(status, 202, text)
    const job = await jobEnd(data.job_id)
    assert.equal(job.state, 'succeeded', JSON.stringify(job))
  }

  test('are made of each backup, listed, and restored where those on the host are gone', async () => {
    const first = await backUp('one')
    await isCopied(first)
    const second = await backUp('two')
    await isCopied(second)
    assert.ok(keys().includes(`web1/websites/ada/${domain}/${second}/${second}.tar.gz`))
    assert.ok(keys().every((key) => !key.endsWith('/snapshot')))
    const shown = async () =>
      (await list()).map(({ name, source, is_copied }: any) => [name, source, is_copied])
    assert.deepEqual(await shown(), [
      [second, 'local', true],
      [first, 'local', true],
    ])
    loseLocal()
    assert.deepEqual(await shown(), [
      [second, 's3', true],
      [first, 's3', true],
    ])
    const protection = (await ask('GET', `/backups/websites?search=${domain}`)).data.items
    assert.deepEqual(
      protection.map(({ latest, backup_count }: any) => [latest.name, latest.source, backup_count]),
      [[second, 's3', 2]],
    )
    const { json } = await ask('GET', '/settings/backup/webapp-scan', undefined, panel.admin)
    const entry = json.backups.find((each: any) => each.domain === domain)
    assert.deepEqual([entry.source, entry.sets[0].source, entry.sets[0].chains], ['s3', 's3', 1])
    sh(`echo later > sites/${domain}/public/index.html`)
    await restore(second)
    assert.equal(page(), 'two\n')
    await restore(first)
    assert.equal(page(), 'one\n')
    const third = await backUp('three')
    const [newest] = await list()
    assert.deepEqual([newest.name, newest.is_full], [third, true], 'a fetched one is not continued')
  })

  test('are restored where the folder of the website is gone too, as on another host', async () => {
    const name = await backUp('one')
    await isCopied(name)
    loseLocal()
    sh(`rm -r sites/${domain}`)
    await restore(name)
    assert.equal(page(), 'one\n')
    assert.deepEqual(
      (await list()).map(({ set }: any) => set),
      ['default'],
    )
  })

  test('are restored where the backup on the host is damaged, which stays as it is', async () => {
    const name = await backUp('one')
    await isCopied(name)
    const local = `${panel.root}/var/lib/hostreeve/backups/websites/ada/${domain}/${name}/${name}.tar.gz`
    const damaged = readFileSync(local)
    damaged[20] = (damaged[20] ?? 0) ^ 1
    writeFileSync(local, damaged)
    sh(`echo later > sites/${domain}/public/index.html`)
    const { data } = await ask('POST', `/websites/${site}/backups/${name}/restore`, {})
    assert.match((await jobEnd(data.job_id)).error, /SHA-256 differs/)
    assert.equal(page(), 'later\n')
    await restore(name, { source: 's3' })
    assert.equal(page(), 'one\n')
    assert.deepEqual(readFileSync(local), damaged)
    assert.deepEqual(readdirSync(`${panel.root}/var/lib/hostreeve/backups/restores`), [])
    await restore(name, { source: 's3', for_inspection: true })
    assert.equal(sh(`cat restores/${domain}-${name}/site/public/index.html`), 'one\n')
    loseLocal()
    const refused = await ask('POST', `/websites/${site}/backups/${name}/restore`, { source: 'local' })
    assert.deepEqual([refused.status, refused.error?.code], [404, 'not_found'])
  })

  test('are restored by set and time for a superuser', async () => {
    const name = await backUp('one')
    await isCopied(name)
    loseLocal()
    sh(`echo later > sites/${domain}/public/index.html`)
    const asked = { username: 'ada', domain, source: 's3' }
    const { status, data, text } = await ask('POST', '/settings/backup/webapp-restore', asked, panel.admin)
    assert.equal(status, 202, text)
    assert.equal((await jobEnd(data.job_id)).state, 'succeeded')
    assert.equal(page(), 'one\n')
  })

  test('beyond the number that the set keeps are deleted, and with their backups', async () => {
    await ask('POST', `/websites/${site}/backups/sets`, { name: 'default', keep: 1, databases: false })
    const set = { name: 'only', files: false, databases: true, keep: 1 }
    assert.equal((await ask('POST', `/websites/${site}/backups/sets`, set)).status, 200)
    const inOnly = async () => {
      const { text } = await ask('POST', `/websites/${site}/backups`, { set: 'only' })
      return /"type":"done","name":"([^"]+)"/.exec(text)?.[1] ?? assert.fail(text)
    }
    const old = await inOnly()
    await isCopied(old)
    const kept = await inOnly()
    await isCopied(kept)
    await until(async () => !keys().some((key) => key.includes(old)))
    assert.equal((await ask('DELETE', `/websites/${site}/backups/${kept}`)).status, 200)
    assert.deepEqual(keys(), [])
    assert.equal((await ask('DELETE', `/websites/${site}/backups/${kept}`)).status, 404)
  })

  test('are encrypted where those on the host are not, and need the passphrase', async () => {
    const key = await ask('POST', '/settings/backup/generate-key', undefined, panel.admin)
    await configure({ remote_enabled: 1, local_encrypt: 0, remote_encrypt: 1 })
    const name = await backUp('one')
    await isCopied(name)
    const [shown] = await list()
    assert.deepEqual([shown.encrypted, shown.source], [false, 'local'])
    for (const key of keys()) assert.match(key, /\.gpg$|manifest\.json$/)
    loseLocal()
    const refused = await ask('POST', `/websites/${site}/backups/${name}/restore`, {})
    assert.equal(refused.error?.code, 'passphrase_required')
    sh(`echo later > sites/${domain}/public/index.html`)
    await restore(name, { passphrase: key.data.passphrase })
    assert.equal(page(), 'one\n')
    await ask('POST', '/settings/backup/disable-encryption', undefined, panel.admin)
    await configure({ remote_enabled: 1, local_encrypt: 0, remote_encrypt: 0 })
  })

  test('fail as jobs of their own while S3 does not answer; a damaged one is not restored', async () => {
    bucket.status = 403
    const name = await backUp('one')
    const failed = async () =>
      (await ask('GET', '/jobs', undefined, panel.admin)).data.items.some(
        (job: any) => job.title.includes(name) && job.state === 'failed',
      )
    await until(failed)
    assert.deepEqual(
      (await list()).map((each: any) => [each.name, each.is_copied]),
      [[name, false]],
    )
    assert.equal((await ask('DELETE', `/websites/${site}/backups/${name}`)).error?.code, 's3_error')
    bucket.status = undefined
    const next = await backUp('two')
    await isCopied(next)
    assert.ok(bucket.objects.has(manifest(name)), 'what it continues is copied too')
    loseLocal()
    const archive = `web1/websites/ada/${domain}/${name}/${name}.tar.gz`
    const bytes = Buffer.from(bucket.objects.get(archive)?.bytes ?? '')
    bytes[20] = (bytes[20] ?? 0) ^ 1
    bucket.objects.set(archive, { bytes, sha256: bucket.objects.get(archive)?.sha256 ?? '' })
    const { data } = await ask('POST', `/websites/${site}/backups/${next}/restore`, {})
    const job = await jobEnd(data.job_id)
    assert.equal(job.state, 'failed')
    assert.match(job.error, /checksum differs/)
    assert.equal(page(), 'two\n')
    assert.deepEqual(
      (await list()).map(({ source }: any) => source),
      ['s3', 's3'],
    )
  })
})
