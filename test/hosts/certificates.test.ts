import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { poll } from './harness/poll.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { command, pebbleAddress, pebbleEnvironment, startPebble } from './story/pebble.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'

const domain = 'shop.example.com'
const aliases = ['www.shop.example.com', 'blog.shop.example.com']

describe('certificates of websites', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let id: number
  before(async () => {
    host = await bootHost('certs', { without: ['nginx'], addresses: [`${pebbleAddress}/24`] })
    await startPebble(host)
    panel = await startPanel(host, { env: pebbleEnvironment })
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    ada = await admin.makeOwner('ada')
    id = (await ada.signedIn.must('POST', '/api/websites', { domain, type: 'static', aliases })).id
  })
  after(() => host?.remove())

  const status = () => ada.signedIn.must('GET', `/api/websites/${id}/ssl`)
  const issue = async (body: unknown = {}) => {
    const { job_id } = await ada.signedIn.must('POST', `/api/websites/${id}/ssl`, body)
    return (await ada.signedIn.followJob(job_id)).at(-1) ?? {}
  }
  const folder = () => join(host.rootPath, 'etc/nginx/hostreeve/certificates')
  const visit = async (url: string) =>
    (
      await host.must([
        'curl',
        '-skI',
        '--resolve',
        `${domain}:443:127.0.0.1`,
        '--resolve',
        `${domain}:80:127.0.0.1`,
        url,
      ])
    ).stdout
  /** The serial number of the certificate that a visitor gets. */
  const serial = async () => {
    const client = `openssl s_client -connect 127.0.0.1:443 -servername ${domain} </dev/null 2>/dev/null | openssl x509 -noout -serial`
    return (await host.must(['bash', '-c', client])).stdout.trim()
  }

  it('are issued for several names by http-01, and served with HTTP/2, the redirect and HSTS', async () => {
    const end = await issue()
    assert.equal(end['state'], 'succeeded', JSON.stringify(end))
    const found = await status()
    assert.deepEqual(
      [found.state, found.method, found.names.toSorted()],
      ['valid', 'acme', [domain, ...aliases].toSorted()],
    )
    assert.match(found.issuer, /Pebble/)
    const lifetimeMs = Date.parse(found.not_after) - Date.parse(found.not_before)
    const share = (Date.parse(found.renew_at) - Date.parse(found.not_before)) / lifetimeMs
    assert.ok(share > 0.6 && share < 0.75, `is renewed at ${share} of its lifetime`)
    await ada.signedIn.must('PATCH', `/api/websites/${id}`, { https_redirect: true, hsts: true })
    assert.match(
      await visit(`http://${domain}/a?b=1`),
      new RegExp(`301.*location: https://${domain}/a\\?b=1`, 'is'),
    )
    assert.match(
      await visit(`https://${domain}/`),
      /^HTTP\/2 200.*strict-transport-security: max-age=31536000/is,
    )
    const [file] = await readdir(folder())
    assert.equal((await stat(join(folder(), file!))).mode & 0o777, 0o600)
  })

  it('are renewed when the authority suggests it', async () => {
    const before = await serial()
    assert.equal((await issue())['state'], 'succeeded')
    const ordered = await serial()
    assert.notEqual(ordered, before)
    const [file] = await readdir(folder())
    const certificate = new X509Certificate(await readFile(join(folder(), file!), 'utf8')).toString()
    const suggestedWindow = { start: new Date(Date.now() - 7200_000), end: new Date(Date.now() - 3600_000) }
    const ariResponse = JSON.stringify({ suggestedWindow })
    await command(host, 'https://127.0.0.1:15000/set-renewal-info/', { certificate, ariResponse })
    await poll('the renewal', 90_000, async () => ((await serial()) === ordered ? undefined : true))
    // it is served before its job has ended
    const hasEnded = async () => Date.parse((await status()).renew_at) > Date.now() || undefined
    await poll('the job of the renewal to end', 10_000, hasEnded)
    assert.equal((await readdir(folder())).length, 1)
  })

  it('stay as they were where a name fails its challenge, which explain names', async () => {
    const before = await serial()
    const elsewhere = { host: aliases[0], addresses: ['192.0.2.99'] }
    await command(host, 'http://127.0.0.1:8055/add-a', elsewhere)
    const end = await issue()
    assert.equal(end['state'], 'failed', JSON.stringify(end))
    const { last_error, retry_at, state } = await status()
    assert.match(last_error, new RegExp(aliases[0]!.replaceAll('.', '\\.')))
    assert.deepEqual([state, Date.parse(retry_at) > Date.now()], ['valid', true])
    assert.equal(await serial(), before)
    const { failing } = await ada.signedIn.must('GET', `/api/websites/${id}/ssl/explain`)
    assert.equal(failing.name, aliases[0])
    await command(host, 'http://127.0.0.1:8055/clear-a', { host: aliases[0] })
    const { checks } = await ada.signedIn.must('GET', `/api/websites/${id}/ssl/explain`)
    assert.deepEqual(
      checks.filter(({ ok }: { ok: boolean }) => !ok),
      [],
      JSON.stringify(checks),
    )
  })

  it('stay as they were where the panel is killed while one is issued, and are issued after its start', async () => {
    const before = await serial()
    const { job_id } = await ada.signedIn.must('POST', `/api/websites/${id}/ssl`, {})
    await panel.kill9()
    assert.equal(await serial(), before)
    await panel.start()
    ada = { ...ada, signedIn: await SignedIn.as(panel, ada.email, ada.password) }
    const events = await ada.signedIn.followJob(job_id)
    assert.equal(events.at(-1)?.['state'], 'succeeded', JSON.stringify(events.slice(-3)))
    assert.notEqual(await serial(), before)
    assert.equal((await readdir(folder())).length, 1)
  })

  it('are issued by the commands of the guide', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/certificates.md'), 'utf8')
    assert.match(await runAll(host, panel, shellBlocks(guide)), /"method":"acme"/)
  })

  it('are removed, and a name without a certificate never gets that of another website', async () => {
    await ada.signedIn.must('DELETE', `/api/websites/${id}/ssl`)
    assert.deepEqual(
      (await readdir(folder())).filter((name) => name.startsWith(`${id}-`)),
      [],
    )
    assert.match(await visit(`http://${domain}/`), /^HTTP\/1\.1 200/)
    const refused = await host.exec([
      'curl',
      '-skI',
      '--resolve',
      `${domain}:443:127.0.0.1`,
      `https://${domain}/`,
    ])
    assert.notEqual(refused.code, 0)
  })
})
