import assert from 'node:assert/strict'
import { copyFile, mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'
import { versitygwPath } from './story/versitygw.ts'

const limitMs = 600_000
/** Of a mailbox in the long form (HOSTREEVE_LONG=1), which takes some minutes. */
const mostMessages = 100_000
const isLong = Boolean(process.env['HOSTREEVE_LONG'])
const longLimitMs = 3_600_000
const graphUrl = 'http://127.0.0.1:7091'
const s3Address = '127.0.0.1:7092'
const secret = 'the-secret-of-the-application'
const keys = { s3_access_key: 'access', s3_secret_key: 'secret-of-access' }
const s3 = { s3_endpoint: `http://${s3Address}`, s3_bucket: 'backups', ...keys }
const application = ['TENANT=tenant-1', 'CLIENT=client-1', `SECRET=${secret}`, 'MAILBOX=bob@example.com']
const retries = ['--retry', '50', '--retry-connrefused', '--retry-delay', '1'] as const

describe('backups of mailboxes', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('mailboxes')
    await startGraph()
    await startStore()
    const env = { HOSTREEVE_FEATURES: 'mailbox_backup', HOSTREEVE_GRAPH_URL: graphUrl }
    panel = await startPanel(host, { env: { ...env, HOSTREEVE_GRAPH_LOGIN_URL: graphUrl } })
    admin = await SignedIn.as(panel)
  })
  after(() => host?.remove())

  const startGraph = async (...more: readonly string[]) => {
    const program = [
      '/opt/hostreeve/node_modules/.bin/node',
      '/opt/hostreeve/test/hosts/story/graph.ts',
      '7091',
      ...more,
    ]
    await host.must(['systemd-run', '--unit=graph', '--collect', ...program])
    await host.must(['curl', '-s', ...retries, '--output', '/dev/null', `${graphUrl}/v1.0/users`])
  }
  const startStore = async () => {
    await copyFile(await versitygwPath(), join(host.rootPath, 'usr/local/bin/versitygw'))
    await host.must(['chmod', '755', '/usr/local/bin/versitygw'])
    await mkdir(join(host.rootPath, 'srv/s3/backups'), { recursive: true })
    await mkdir(join(host.rootPath, 'srv/iam'))
    await runStore()
  }
  const runStore = async () => {
    const access = ['--access', keys.s3_access_key, '--secret', keys.s3_secret_key]
    const options = [
      '--port',
      s3Address,
      ...access,
      '--iam-dir',
      '/srv/iam',
      '--health',
      '/health',
      '--quiet',
    ]
    const program = ['/usr/local/bin/versitygw', ...options, 'posix', '/srv/s3']
    await host.must(['systemd-run', '--unit=s3', '--collect', ...program])
    await host.must(['curl', '-sf', ...retries, `${s3.s3_endpoint}/health`])
  }
  const ended = (jobId: number, mostMs = limitMs) =>
    poll(`the end of job ${jobId}`, mostMs, async () => {
      const { state, result } = await admin.must('GET', `/api/jobs/${jobId}`)
      return state === 'queued' || state === 'running' ? undefined : { state, result }
    })
  const pathOf = (name: string) => join(host.rootPath, 'var/lib/hostreeve/mailbox-backup', name)

  it('do what their guide says', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/mailbox-backup.md'), 'utf8')
    const output = await runAll(host, panel, [...application, ...shellBlocks(guide)])
    assert.match(output, /Signed in\. The directory has 3 users/)
    assert.match(output, /bob@example\.com: 100 messages were new or had changed/)
    assert.equal((await stat(pathOf('bob_at_example.com'))).mode & 0o777, 0o700)
    assert.match(output, /"email":"bob@example\.com","state":"ok"/)
    assert.match(output, /"restored":1,"already_there":0,"failed":0/)
    assert.match(output, /^80$/m)
    const ofBob = `${graphUrl}/v1.0/users/user-2/mailFolders?$skip=3`
    const { stdout } = await host.must(['curl', '-s', '--header', 'authorization: Bearer a-token', ofBob])
    assert.match(stdout, /"displayName":"Restored"/)
  })

  it('go on after a kill of the panel, with attachments encrypted on S3', async () => {
    await admin.must('POST', '/api/settings/backup/generate-key')
    await admin.must('POST', '/api/mailbox-backup/test-s3', s3)
    const remote = { ...s3, attachment_storage: 's3', s3_encrypt: true }
    await admin.must('POST', '/api/mailbox-backup/config', remote)
    await host.must(['systemctl', 'kill', '--signal=STOP', 's3']) // the run waits for it until the panel is killed
    const begun = await admin.must('POST', '/api/mailbox-backup/run', {})
    await poll('messages of the run', limitMs, async () => {
      const { mailboxes } = await admin.must('GET', '/api/mailbox-backup/status')
      return mailboxes.some(({ state }: { state: string }) => state === 'running') ? true : undefined
    })
    await panel.kill9()
    await host.must(['systemctl', 'kill', '--signal=CONT', 's3'])
    await panel.start()
    admin = await SignedIn.as(panel)
    const { state, result } = await ended(begun.job_id)
    assert.deepEqual([state, result.mailboxes, result.failed], ['succeeded', 3, 0])
    const { data } = await admin.ask('GET', '/api/mailbox-backup/users')
    const counts = data.users.map(({ email, messages }: { email: string; messages: number }) => [
      email,
      messages,
    ])
    assert.deepEqual(counts, [
      ['adele@example.com', 100],
      ['bob@example.com', 101], // the one that was restored
      ['carol@example.com', 100],
    ])
    const objects = await host.must(['find', '/srv/s3/backups/mailbox-backup', '-type', 'f'])
    assert.match(objects.stdout, /adele_at_example\.com\/..\/[0-9a-f]{64}\.gpg/)
    const big = await admin.ask('GET', '/api/mailbox-backup/messages/adele@example.com?search=item')
    const [message] = JSON.parse(big.bytes.toString()).messages
    const path = `/api/mailbox-backup/messages/adele@example.com/${message.id}/download`
    assert.match((await admin.ask('GET', path)).bytes.toString(), /^From: Dana/)
  })

  const verified = async () => {
    const { job_id } = await admin.must('POST', '/api/mailbox-backup/verify', {})
    const { state, result } = await ended(job_id)
    assert.equal(state, 'succeeded')
    const { mailboxes } = await admin.must('GET', '/api/mailbox-backup/verifications')
    const of = (address: string) =>
      mailboxes.find(({ email }: { readonly email: string }) => email === address)
    return { result, of }
  }

  it('are verified against the server and S3, and what is missing there is found', async () => {
    const sound = await verified()
    assert.deepEqual(sound.result, { mailboxes: 3, with_findings: 0, failed: 0 })
    assert.equal(sound.of('adele@example.com').compared, 20)
    const folder = '/srv/s3/backups/mailbox-backup/adele_at_example.com'
    const { stdout } = await host.must(['find', folder, '-type', 'f', '-name', '*.gpg'])
    const [object = ''] = stdout.split('\n')
    await host.must(['mv', object, '/srv/s3/held'])
    const { result, of } = await verified()
    assert.deepEqual(result, { mailboxes: 3, with_findings: 1, failed: 0 })
    const { state, missing_contents } = of('adele@example.com')
    assert.deepEqual([state, missing_contents], ['damaged', 1])
    await host.must(['mv', '/srv/s3/held', object])
  })

  it('say what is missing while the S3 server is down', async () => {
    await host.must(['systemctl', 'stop', 's3'])
    const found = await admin.ask('GET', '/api/mailbox-backup/messages/adele@example.com?search=item')
    const [message] = JSON.parse(found.bytes.toString()).messages
    const path = `/api/mailbox-backup/messages/adele@example.com/${message.id}/download`
    const { status, message: told } = await admin.ask('GET', path)
    assert.deepEqual([status, /cannot be reached/.test(told)], [500, true])
    const { result, of } = await verified()
    assert.equal(result.failed, 2) // what is in the mailbox of Bob was stored on the host
    assert.match(of('adele@example.com').message, /cannot be reached/)
  })

  it('wait while the S3 server is down, and go on once it is back', async () => {
    const folder = '/var/backups/mailboxes'
    await admin.must('POST', '/api/mailbox-backup/config', { data_dir: folder })
    const users = ['carol@example.com']
    const { job_id } = await admin.must('POST', '/api/mailbox-backup/run', { users })
    await poll('a content that waits to be sent', limitMs, async () => {
      const waiting = ['find', `${folder}/carol_at_example.com/incoming`, '-name', '*.gpg'] as const
      return (await host.exec(waiting)).stdout === '' ? undefined : true
    })
    await runStore()
    const { state, result } = await ended(job_id)
    assert.deepEqual([state, result.failed, result.new_messages], ['succeeded', 0, 100])
  })

  it('show their secrets nowhere: not in the store, the logs or the activity', async () => {
    // the journal has the command of the S3 server of this test, with its key
    for (const [each, ...logs] of [[secret, '/var/log'], [keys.s3_secret_key]] as const) {
      const found = await host.exec(['grep', '-rlaF', each, '/var/lib/hostreeve', ...logs])
      assert.equal(found.stdout, '')
      assert.ok(!(await panel.log()).includes(each))
    }
  })

  it('have a hundred thousand messages of a mailbox', { skip: !isLong && 'takes some minutes' }, async () => {
    await host.must(['systemctl', 'stop', 'graph'])
    await startGraph(String(mostMessages))
    await admin.must('POST', '/api/mailbox-backup/config', { data_dir: '', attachment_storage: 'local' })
    const { job_id } = await admin.must('POST', '/api/mailbox-backup/run', { users: ['erin@example.com'] })
    const { state, result } = await ended(job_id, longLimitMs)
    assert.deepEqual([state, result.failed, result.new_messages], ['succeeded', 0, mostMessages])
    const last = `Message ${mostMessages - 1}`
    const path = `/api/mailbox-backup/messages/erin@example.com?search=${encodeURIComponent(last)}`
    const found = JSON.parse((await admin.ask('GET', path)).bytes.toString())
    assert.deepEqual([found.total, found.messages[0].subject], [1, last])
    const again = await admin.must('POST', '/api/mailbox-backup/run', { users: ['erin@example.com'] })
    assert.equal((await ended(again.job_id, longLimitMs)).result.new_messages, 0)
  })
})
