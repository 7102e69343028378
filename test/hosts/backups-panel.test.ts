import assert from 'node:assert/strict'
import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readCheckpoint } from '../../src/app/audit/form.ts'
import { verifyBytes } from '../../src/app/audit/testing/exported.ts'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { followRecovery } from './story/recovery.ts'
import { s3SettingsOf, startS3 } from './story/s3-store.ts'
import { SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'

const limitMs = 60_000
const storeAddress = '10.77.0.62'
const domain = 'shop.example.com'
const s3 = s3SettingsOf(storeAddress)

describe('a panel whose host is lost', () => {
  let [lost, fresh] = [{} as Host, {} as Host]
  let [panel, other] = [{} as Panel, {} as Panel]
  let [admin, newcomer] = [{} as SignedIn, {} as SignedIn]
  let passphrase = ''
  let checkpoint = ''
  let filename = ''
  before(async () => {
    ;[lost, fresh] = await Promise.all([
      bootHost('lost', { addresses: ['10.77.0.61/24'] }),
      bootHost('fresh', { addresses: [`${storeAddress}/24`] }),
    ])
    await startStore()
    panel = await startPanel(lost)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    const ada = await admin.makeOwner('ada')
    await ada.signedIn.must('POST', '/api/websites', { domain, type: 'static' })
  })
  after(async () => {
    await lost.remove?.()
    await fresh.remove?.()
  })

  const startStore = () => startS3(fresh, storeAddress)
  const stored = () => readdir(join(fresh.rootPath, 'srv/s3/backups'), { recursive: true })
  const restore = (body: object) => newcomer.ask('POST', `/api/system/backup/restore/${filename}`, body)
  const pending = () =>
    stat(join(fresh.rootPath, 'var/lib/hostreeve/restore-pending')).then(
      () => true,
      () => false,
    )

  it('was backed up to S3, encrypted with a key that was kept elsewhere', async () => {
    const tested = await admin.must('POST', '/api/settings/backup/test-s3', s3)
    assert.deepEqual([tested.success, tested.ping_host], [true, storeAddress])
    assert.ok(tested.ping_ms >= 0, String(tested.ping_ms))
    const wrong = await admin.ask('POST', '/api/settings/backup/test-s3', { ...s3, s3_secret_key: 'wrong' })
    assert.deepEqual([wrong.status, wrong.code], [400, 's3_error'])
    await admin.must('POST', '/api/settings/backup', { ...s3, s3_prefix: 'lost', remote_enabled: 1 })
    ;({ passphrase } = await admin.must('POST', '/api/settings/backup/generate-key'))
    ;({ checkpoint } = await admin.must('GET', '/api/activity/chain'))
    const made = await admin.must('POST', '/api/system/backup', {})
    assert.deepEqual([made.remote, made.remote_error, made.encrypted], [true, '', true])
    ;({ filename } = made)
    assert.ok((await stored()).includes(`lost/panel/${filename}`))
  })

  const pageOf = (host: Host) =>
    readFile(join(host.rootPath, `home/ada/sites/${domain}/public/index.html`), 'utf8')
  const write = (text: string) =>
    lost.must([
      'su',
      '-s',
      '/bin/sh',
      'ada',
      '-c',
      `mkdir -p ~/sites/${domain}/public; echo ${text} > ~/sites/${domain}/public/index.html`,
    ])
  const restoreSite = async (as: SignedIn) => {
    const asked = { username: 'ada', domain, source: 's3', passphrase }
    const { job_id } = await as.must('POST', '/api/settings/backup/webapp-restore', asked)
    const job = await poll('the website to be restored', limitMs, async () => {
      const found = await as.must('GET', `/api/jobs/${job_id}`)
      return ['queued', 'running'].includes(found.state) ? undefined : found
    })
    assert.equal(job.state, 'succeeded', JSON.stringify(job))
  }

  it('had a copy of its website on S3, from which it is restored without the backup on the host', async () => {
    await write('before')
    const { items } = await admin.must('GET', '/api/websites')
    const { bytes } = await admin.ask('POST', `/api/websites/${items[0].id}/backups`, {})
    const name = /"type":"done","name":"([^"]+)"/.exec(bytes.toString())?.[1] ?? assert.fail(bytes.toString())
    const copy = `lost/websites/ada/${domain}/${name}`
    await poll('the copy on S3', limitMs, async () =>
      (await stored()).includes(`${copy}/manifest.json`) ? true : undefined,
    )
    assert.ok((await stored()).includes(`${copy}/${name}.tar.gz.gpg`))
    await lost.must(['rm', '-rf', '/var/lib/hostreeve/backups/websites'])
    await write('after')
    const scan = await admin.ask('GET', '/api/settings/backup/webapp-scan')
    assert.deepEqual(
      JSON.parse(scan.bytes.toString()).backups.map((each: { domain: string; source: string }) => [
        each.domain,
        each.source,
      ]),
      [[domain, 's3']],
    )
    await restoreSite(admin)
    assert.equal(await pageOf(lost), 'before\n')
  })

  it('keeps a backup on the host while S3 answers nothing', async () => {
    await fresh.must(['systemctl', 'stop', 's3'])
    const made = await admin.must('POST', '/api/system/backup', {})
    assert.equal(made.remote, false)
    assert.match(made.remote_error, /cannot be reached/)
    assert.equal((await admin.must('GET', '/api/system/backup')).length, 2)
    await startStore()
  })

  it('is fetched by a panel on a fresh host, where a wrong passphrase changes nothing', async () => {
    await panel.stop()
    other = await startPanel(fresh)
    newcomer = await SignedIn.as(other)
    await newcomer.must('POST', '/api/settings/backup', { ...s3, s3_prefix: 'lost' })
    assert.deepEqual(await newcomer.must('POST', '/api/system/backup/pull-s3'), { count: 1 })
    assert.deepEqual([(await restore({})).code, (await restore({})).status], ['passphrase_required', 400])
    const wrong = await restore({ passphrase: 'another' })
    assert.deepEqual([wrong.status, wrong.code], [400, 'bad_request'])
    assert.equal(await pending(), false)
    assert.deepEqual((await newcomer.must('GET', '/api/websites')).items, [])
  })

  const follow = (block: 0 | 1 | 2, variables: Readonly<Record<string, string>>) =>
    followRecovery(other, block, { ...variables, PASSPHRASE: passphrase })

  /** The log of the lost host goes on: under its key, and from what was signed there. */
  const assertChainGoesOn = async (back: SignedIn) => {
    assert.equal((await back.must('GET', '/api/activity/verify')).ok, true)
    const signed = readCheckpoint(checkpoint) ?? assert.fail(checkpoint)
    const { bytes } = await other.request('GET', '/api/activity/chain/export', { token: back.token })
    const verdict = await verifyBytes(bytes, { checkpoint: signed })
    assert.deepEqual([verdict.reason, verdict.checkpoint, verdict.key], [null, 'met', signed.key])
    assert.ok(verdict.to > signed.id)
  }

  it('is restored there as the guide says: users, websites and the key are back, and what is missing is listed', async () => {
    const output = await follow(0, { TOKEN: newcomer.token, FILE: filename })
    assert.match(output, /"missing_accounts":\["ada"\]/)
    const safety = /"pre_restore_file":"(before-restore-[^"]+)"/.exec(output)?.[1] ?? assert.fail(output)
    await poll('the panel to serve the restored store', limitMs, async () => {
      const answer = await newcomer.ask('GET', '/api/websites').catch(() => undefined)
      return answer?.status === 401 ? true : undefined // the sessions are those of the backup
    })
    const back = await SignedIn.as(other)
    const { items } = await back.must('GET', '/api/websites')
    assert.deepEqual(
      items.map((each: { domain: string }) => each.domain),
      [domain],
    )
    assert.deepEqual(await back.must('POST', '/api/settings/backup/get-key'), { passphrase })
    await assertChainGoesOn(back)
    const listed = JSON.stringify(await back.must('GET', '/api/system/backup'))
    assert.ok(listed.includes(safety) && listed.includes(filename))
    await follow(1, {})
    await back.installNginx()
  })

  it('serves the websites again on the fresh host, as the guide says', async () => {
    const output = await follow(2, { DOMAIN: domain })
    assert.match(output, /"running":false.*"done":1,"failed":0/)
    assert.match(output, /\nbefore\n$/, 'the page, which curl requested')
    await stat(join(fresh.rootPath, `etc/nginx/hostreeve/sites/${domain}.conf`))
    assert.equal(await pageOf(fresh), 'before\n')
    assert.ok((await lstat(join(fresh.rootPath, `home/ada/logs/${domain}`))).isSymbolicLink())
    const { status, text } = await visit(fresh, domain)
    assert.deepEqual([status, text], [200, 'before\n'])
    await restoreSite(await SignedIn.as(other))
    assert.equal((await visit(fresh, domain)).text, 'before\n')
  })
})
