import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { pebbleAddress, pebbleEnvironment, startPebble } from './story/pebble.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'
import { forEach } from './story/visit.ts'

const types = ['static', 'php', 'proxy'] as const
/** Of each type and owner. */
const each = 5

interface Site {
  readonly domain: string
  readonly type: (typeof types)[number]
  readonly owner: Owner
  /** What its page says. */
  readonly says: string
}

describe('thirty websites of three types and two owners', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let sites: readonly Site[]
  const ids = new Map<string, number>()
  let root: string
  before(async () => {
    host = await bootHost('thirty', { addresses: [`${pebbleAddress}/24`] })
    await startPebble(host)
    panel = await startPanel(host, { env: pebbleEnvironment })
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    await startUpstream(host)
    const owners = [await admin.makeOwner('ada'), await admin.makeOwner('bob')]
    root = (await host.must(['curl', '-sk', 'https://127.0.0.1:15000/roots/0'])).stdout
    sites = owners.flatMap((owner) =>
      types.flatMap((type) =>
        Array.from({ length: each }, (_, at) => {
          const domain = `${type}${at}.${owner.username}.example.com`
          return { domain, type, owner, says: `${domain} of ${owner.username}` }
        }),
      ),
    )
  })
  after(() => host?.remove())

  const create = async ({ domain, type, owner, says }: Site) => {
    const upstream = type === 'proxy' ? { upstream: 'http://127.0.0.1:3000' } : {}
    const draft = { domain, type, username: owner.username, ...upstream }
    ids.set(domain, (await admin.must('POST', '/api/websites', draft)).id)
    const page = {
      static: ['index.html', says],
      php: ['index.php', `<?php echo '${says}';`],
      proxy: undefined,
    }
    const [name, content] = page[type] ?? []
    if (name === undefined) return
    const path = `sites/${domain}/public/${name}`
    await owner.signedIn.must('POST', '/api/filemanager/write', { username: owner.username, path, content })
  }
  /** Visits as a browser that trusts the authority; throws if the certificate is not valid for the domain. */
  const visit = (domain: string) =>
    host.request({ port: 443, path: '/', tls: { servername: domain, ca: root }, headers: { Host: domain } })

  it('are created', async () => {
    await forEach(sites, 4, create)
    assert.equal(ids.size, 30)
  })

  it('have a certificate each, which their owners order side by side', async () => {
    const jobs = new Map<string, number>()
    await forEach(sites, 4, async ({ domain, owner }) => {
      const { job_id } = await owner.signedIn.must('POST', `/api/websites/${ids.get(domain)}/ssl`, {})
      jobs.set(domain, job_id)
    })
    await forEach(sites, 4, async ({ domain, owner }) => {
      const end = (await owner.signedIn.followJob(jobs.get(domain)!)).at(-1)
      assert.equal(end?.['state'], 'succeeded', `${domain}: ${JSON.stringify(end)}`)
    })
    const files = await readdir(join(host.rootPath, 'etc/nginx/hostreeve/certificates'))
    assert.equal(files.length, 30)
  })

  it('answer over https, each with its own page and its own certificate', async () => {
    const serials = new Set<string>()
    await forEach(sites, 4, async ({ domain, type, owner, says }) => {
      const { status, text } = await visit(domain)
      assert.deepEqual([status, text], [200, type === 'proxy' ? `proxied ${domain}` : says], domain)
      const { names } = await owner.signedIn.must('GET', `/api/websites/${ids.get(domain)}/ssl`)
      assert.deepEqual(names, [domain])
      serials.add(await serialOf(host, domain))
    })
    assert.equal(serials.size, 30)
  })

  it('may use for PHP what a superuser allows, and no more', async () => {
    const domain = 'php1.ada.example.com'
    const { owner } = sites.find((site) => site.domain === domain)!
    const path = `/api/websites/${ids.get(domain)}`
    const raise = (as: SignedIn) => as.ask('PATCH', path, { allowed_limits: { memory_mb: 700 } })
    const use = () => owner.signedIn.ask('PATCH', path, { limits: { memory_mb: 700 } })
    const refused = await use()
    assert.deepEqual([refused.status, refused.code], [400, 'bad_request'])
    assert.match(refused.message, /^limits: memory_mb must be at most 512/)
    assert.equal((await raise(owner.signedIn)).status, 403)
    assert.equal((await raise(admin)).status, 200)
    assert.equal((await use()).status, 200)
    const content = "<?php echo ini_get('memory_limit');"
    await owner.signedIn.must('POST', '/api/filemanager/write', {
      ...{ username: 'ada', path: `sites/${domain}/public/limit.php`, content },
    })
    const tls = { servername: domain, ca: root }
    const answer = await host.request({ port: 443, path: '/limit.php', tls, headers: { Host: domain } })
    assert.equal(answer.text, '700M')
  })

  it('run each PHP under the uid of its owner', async () => {
    for (const name of ['ada', 'bob']) {
      const uid = (await host.must(['id', '-u', name])).stdout.trim()
      const domain = `php0.${name}.example.com`
      const path = `sites/${domain}/public/uid.php`
      const { owner } = sites.find((site) => site.domain === domain)!
      const content = '<?php echo posix_geteuid();'
      await owner.signedIn.must('POST', '/api/filemanager/write', { username: name, path, content })
      const tls = { servername: domain, ca: root }
      const answer = await host.request({ port: 443, path: '/uid.php', tls, headers: { Host: domain } })
      assert.equal(answer.text, uid)
    }
  })
})

/** A program that says which website was asked for. */
async function startUpstream(host: Host): Promise<void> {
  const server = `require('node:http').createServer((q, r) => r.end('proxied ' + q.headers.host)).listen(3000, '127.0.0.1')`
  await writeFile(join(host.rootPath, 'root/upstream.cjs'), server)
  await host.must([
    'systemd-run',
    '--unit=upstream',
    '/opt/hostreeve/node_modules/.bin/node',
    '/root/upstream.cjs',
  ])
  await poll('the upstream to answer', 60_000, async () =>
    (await host.exec(['curl', '-sf', 'http://127.0.0.1:3000/'])).code === 0 ? true : undefined,
  )
}

/** The serial number of the certificate that visitors of a domain get, which must be for that domain. */
async function serialOf(host: Host, domain: string): Promise<string> {
  const client = `openssl s_client -connect 127.0.0.1:443 -servername ${domain} </dev/null 2>/dev/null | openssl x509`
  const certificate = new X509Certificate((await host.must(['bash', '-c', client])).stdout)
  assert.equal(certificate.subjectAltName, `DNS:${domain}`)
  return certificate.serialNumber
}
