import assert from 'node:assert/strict'
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createSelfSigned } from '../../src/host/self-signed.ts'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { killAfter } from './story/kill.ts'
import { SignedIn } from './story/signed-in.ts'

const isLong = process.env['HOSTREEVE_LONG'] !== undefined
const relayAddress = '10.77.0.52'
const relayName = 'mail.example.com'
const program = ['/opt/hostreeve/node_modules/.bin/node', '/opt/hostreeve/test/hosts/story/relay.ts'] as const
const credentials = { username: 'panel', password: 'correct horse' }
const relayed = { smart_route: `${relayName}::587`, default_from: 'server@example.com', ...credentials }

describe('mail through a relay on another host', () => {
  let [host, relay, panel, admin] = [{} as Host, {} as Host, {} as Panel, {} as SignedIn]
  before(async () => {
    ;[host, relay] = await Promise.all([
      bootHost('mail1', {
        image: 'exim',
        addresses: ['10.77.0.51/24'],
        without: ['exim4-daemon-light', 'exim4-base', 'exim4-config'],
      }),
      bootHost('mail2', { addresses: [`${relayAddress}/24`] }),
    ])
    const { cert, key } = await createSelfSigned(relayName, [{ type: 'dns', value: relayName }], new Date())
    await writeFile(inRelay('root/cert.pem'), cert)
    await writeFile(inRelay('root/key.pem'), key, { mode: 0o600 })
    await writeFile(inHost('usr/local/share/ca-certificates/relay.crt'), cert)
    await host.must(['update-ca-certificates'])
    await appendFile(inHost('etc/hosts'), `127.0.1.1 mail1.example.net mail1\n${relayAddress} ${relayName}\n`)
    await writeFile(inHost('etc/mailname'), 'mail1.example.net\n')
    await startRelay()
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(async () => {
    await host.remove?.()
    await relay.remove?.()
  })

  const inHost = (path: string) => join(host.rootPath, path)
  const inRelay = (path: string) => join(relay.rootPath, path)
  const startRelay = async () => {
    const argv = ['/root/received', '/root/cert.pem', '/root/key.pem', credentials.password]
    await relay.must(['systemd-run', '--unit=relay', '--collect', ...program, ...argv])
    await poll('the relay to listen', 10_000, async () =>
      (await relay.must(['ss', '-Hltn', 'sport = :587'])).stdout === '' ? undefined : true,
    )
  }
  const received = async (): Promise<readonly any[]> =>
    (await readFile(inRelay('root/received'), 'utf8').catch(() => ''))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const settings = () => admin.must('GET', '/api/settings/mail')
  const set = (body: object) => admin.must('POST', '/api/settings/mail', body)
  const latest = async () => (await admin.must('GET', '/api/activity')).items[0]
  const sendTest = (to: string) => admin.ask('POST', '/api/settings/mail/test', { to })
  const queue = async () => (await admin.must('GET', '/api/settings/mail/queue')).messages
  const emptyQueue = async () => {
    for (const { id } of await queue()) await host.exec(['exim4', '-Mrm', id])
  }

  it('has no relay where Exim is missing, and installs it', async () => {
    const { installed, config_type, running } = await settings()
    assert.deepEqual([installed, config_type, running], [false, 'internet', false])
    const { status, message } = await admin.ask('POST', '/api/settings/mail', relayed)
    assert.equal(status, 503, message)
    const { job_id } = await admin.must('POST', '/api/programs/exim/install')
    const last = (await admin.followJob(job_id)).at(-1)
    assert.equal(last?.['state'], 'succeeded', JSON.stringify(last))
    const now = await settings()
    assert.deepEqual([now.installed, now.configured_type, now.reason], [true, 'local', ''])
  })

  it('is sent with the credentials over TLS, from the sender that was set', async () => {
    await set(relayed)
    const { status, data, message } = await sendTest('ada@example.com')
    assert.equal(status, 200, message)
    assert.equal(data.outcome, 'delivered')
    assert.match(data.message, /A=plain.*250/)
    const [{ from, to, text }] = (await received()).slice(-1)
    assert.deepEqual([from, to], ['server@example.com', ['ada@example.com']])
    assert.match(text, /^From: .*<server@example\.com>$/m)
    const { smart_route, config_type, running, default_from, username, password } = await settings()
    assert.deepEqual(
      [smart_route, config_type, running, default_from, username],
      [relayed.smart_route, 'smarthost', true, relayed.default_from, 'panel'],
    )
    assert.equal(password, 'corr••••••••orse')
  })

  it('is sent to port 465 with TLS from the first byte', async () => {
    await set({ smart_route: `${relayName}::465` })
    const { status, data, message } = await sendTest('tls@example.com')
    assert.deepEqual([status, data?.outcome], [200, 'delivered'], message)
    assert.match(data.message, /X=TLS.*A=plain.*250/)
    assert.deepEqual((await received()).at(-1).to, ['tls@example.com'])
    await set({ smart_route: relayed.smart_route })
    assert.equal((await sendTest('ada@example.com')).data.outcome, 'delivered')
  })

  it('has its password in a file that only root and Exim read', async () => {
    const { mode, uid } = await stat(inHost('etc/exim4/passwd.client'))
    assert.deepEqual([mode & 0o777, uid], [0o640, 0])
    const { stdout } = await host.must(['stat', '--format=%G', '/etc/exim4/passwd.client'])
    assert.equal(stdout.trim(), 'Debian-exim')
    assert.equal(
      (await host.exec(['setpriv', '--reuid=65534', '--clear-groups', 'cat', '/etc/exim4/passwd.client']))
        .code,
      1,
    )
    const activity = JSON.stringify(await admin.must('GET', '/api/activity'))
    assert.doesNotMatch(activity, /correct horse/)
  })

  it('waits in the queue with the reason while the relay does not answer, and is sent afterwards', async () => {
    await relay.must(['systemctl', 'stop', 'relay'])
    const { status, code, message } = await sendTest('bob@example.com')
    assert.deepEqual([status, code], [502, 'mail_failed'])
    assert.match(message, /Connection refused.*The message is in the queue/)
    const [waiting] = await queue()
    assert.deepEqual(
      [waiting.sender, waiting.recipients, waiting.is_frozen],
      ['server@example.com', ['bob@example.com'], false],
    )
    assert.match(waiting.reason, /Connection refused/)
    assert.ok(Math.abs(Date.parse(waiting.queued_at) - Date.now()) < 60_000)
    await startRelay()
    await host.must(['exim4', '-qff'])
    await poll('the message is sent', 20_000, async () =>
      (await received()).some(({ to }) => to[0] === 'bob@example.com') ? true : undefined,
    )
    assert.deepEqual(await queue(), [])
  })

  it('is refused by the relay with a wrong password, which the test and the queue tell', async () => {
    await set({ password: 'a wrong one' })
    const { status, message } = await sendTest('eve@example.com')
    assert.equal(status, 502)
    assert.match(message, /authenticator failed .* 535 Invalid credentials/)
    const report = await poll<any>('a message waits', 20_000, async () =>
      (await queue()).find(({ is_frozen }: { is_frozen: boolean }) => is_frozen),
    )
    assert.deepEqual([report.sender, report.recipients, report.is_frozen], ['', ['server@example.com'], true])
    assert.match(report.reason, /530/)
    await set({ password: credentials.password })
    await emptyQueue()
  })

  it('keeps what people write into the files, and a plan without the password', async () => {
    await appendFile(inHost('etc/exim4/update-exim4.conf.conf'), "# mine\ndc_minimaldns='true'\n")
    const { data } = await admin.ask('POST', '/api/settings/mail?plan=1', {
      ...relayed,
      password: 'planned secret',
    })
    assert.doesNotMatch(JSON.stringify(data), /planned secret|correct horse/)
    await set({ smart_route: '' })
    const text = await readFile(inHost('etc/exim4/update-exim4.conf.conf'), 'utf8')
    assert.match(
      text,
      /dc_eximconfig_configtype='internet'\n[^]*dc_smarthost=''\n[^]*# mine\ndc_minimaldns='true'\n$/,
    )
    assert.doesNotMatch(await readFile(inHost('etc/exim4/passwd.client'), 'utf8'), /^\*/m)
    await admin.must('POST', `/api/activity/${(await latest()).id}/undo`)
    assert.equal((await settings()).smart_route, relayed.smart_route)
    assert.equal((await sendTest('ada@example.com')).status, 200)
  })

  it('is set or not after a kill of the panel at any moment', async () => {
    const delays = isLong ? Array.from({ length: 24 }, (_, index) => index * 40) : [30, 150, 400, 800]
    for (const delay of delays) {
      await set(relayed)
      const former = await latest()
      await killAfter(panel, () => admin.ask('POST', '/api/settings/mail', { smart_route: '' }), delay)
      const { smart_route: route, username, config_type: type, running } = await settings()
      const isDone = route === ''
      assert.deepEqual(
        [type, username, running],
        isDone ? ['internet', '', true] : ['smarthost', 'panel', true],
      )
      const generated = await readFile(inHost('var/lib/exim4/config.autogenerated'), 'utf8')
      assert.equal(generated.includes('\nDCconfig_internet=1'), isDone, `after ${delay} ms`)
      const entry = await latest()
      if (entry.id !== former.id) assert.equal(entry.status, isDone ? 'ok' : 'restored', entry.message)
      else assert.equal(isDone, false)
      const { stdout } = await host.must(['ls', '-A', '/etc/exim4'])
      assert.doesNotMatch(stdout, /hostreeve/)
    }
  })

  it('does as the guide says', async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/mail.md'), 'utf8'))
    assert.ok(blocks.length > 0)
    await set({ smart_route: '' })
    await runAll(host, panel, blocks)
    assert.ok((await received()).length > 0)
  })
})
