import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { after, before, beforeEach, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { haproxyConfig, haproxyFiles, haproxyLeftovers } from './story/haproxy-state.ts'
import { after as afterMs, killWhile } from './story/kill.ts'
import { holdPort } from './story/port-holder.ts'
import { Prober } from './story/prober.ts'
import { SignedIn } from './story/signed-in.ts'

/**
 * The interval between the moments at which the panel is killed during a change, which takes about 100 ms.
 */
const apartMs = process.env['HOSTREEVE_LONG'] ? 2 : 20

describe('the configuration of HAProxy, when something goes wrong', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let prober: Prober | undefined
  const folder = () => join(host.rootPath, 'etc/haproxy')
  const path = () => join(folder(), 'haproxy.cfg')
  const config = () => haproxyConfig(host)
  const frontend = (name: string, port: number) => ({ name, binds: [{ port }], default_backend: 'shop' })
  const addFrontend = (name: string, port: number) =>
    admin.ask('POST', '/api/lbproxy/frontends', frontend(name, port))
  const answers = (port: number) =>
    host.request({ port }).then(
      ({ text }) => text === page,
      () => false, // nobody listens there
    )

  before(async () => {
    host = await bootHost('lbfaults', { image: 'haproxy', memoryDisk: '128m' })
    await rm(join(host.rootPath, 'etc/nginx/sites-enabled/default')) // HAProxy takes its port
    await writeFile(
      join(host.rootPath, 'etc/nginx/conf.d/shop.conf'),
      `server { listen 8080; location / { return 200 "${page}"; } }\n`,
    )
    await host.must(['systemctl', 'start', 'nginx', 'haproxy'])
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.must('POST', '/api/lbproxy/backends', { name: 'shop' })
    await admin.must('POST', '/api/lbproxy/backends/shop/servers', {
      name: 'nginx',
      address: '127.0.0.1',
      port: 8080,
    })
    await admin.must('POST', '/api/lbproxy/frontends', frontend('web', 80))
    prober = new Prober(host, 'www.example.com', page)
  })
  beforeEach(async () => assert.ok(await answers(80)))
  after(async () => {
    await prober?.stop()
    await host?.remove()
  })

  it('shows HAProxy’s words and changes nothing when HAProxy refuses it', async () => {
    const former = await haproxyFiles(host)
    const written = await admin.ask('POST', '/api/lbproxy/config', {
      content: `${await config()}\nfrontend bad\n  bind :82\n  nonsense on\n`,
    })
    assert.equal(written.status, 500)
    assert.match(
      written.message,
      /parsing \[\/etc\/haproxy\/haproxy\.cfg:\d+\] : unknown keyword 'nonsense' in 'frontend' section/,
    )
    const added = await admin.ask('POST', '/api/lbproxy/frontends', {
      ...frontend('bad', 82),
      acls: [{ name: 'odd', criterion: 'no_such_fetch -i x' }],
    })
    assert.equal(added.status, 500)
    assert.match(added.message, /no_such_fetch/)
    await assertAsBefore(former)
  })

  it('shows HAProxy’s words when it is broken by hand, and takes a change again once it is mended', async () => {
    const former = await config()
    await writeFile(path(), former.replace('mode\thttp', 'mode\tnonsense'))
    const broken = await haproxyFiles(host)
    for (const answer of [await addFrontend('later', 82), await admin.ask('POST', '/api/lbproxy/reload')]) {
      assert.equal(answer.status, 500)
      assert.match(answer.message, /unknown proxy mode 'nonsense'|'nonsense'/)
    }
    await assertAsBefore(broken)
    await writeFile(path(), former)
    assert.equal((await addFrontend('later', 82)).status, 201)
    assert.ok(await answers(82))
    await admin.must('DELETE', '/api/lbproxy/frontends/later')
  })

  it('refuses a port that another program holds, names it, and takes the port once it is free', async () => {
    const release = await holdPort(host, 8081, '0.0.0.0')
    const former = await haproxyFiles(host)
    const answer = await addFrontend('taken', 8081)
    assert.equal(answer.status, 409)
    assert.match(
      answer.message,
      /^binds\.0\.port: port 8081 is used by .+ \(process \d+\); port 8082 is free$/,
    )
    await assertAsBefore(former)
    assert.equal(
      (await admin.must('GET', '/api/lbproxy/status')).failed_reloads,
      0,
      'the old file was loaded again',
    )
    await release()
    assert.equal((await addFrontend('taken', 8081)).status, 201)
    assert.ok(await answers(8081))
  })

  it('stays as it is when a certificate cannot be read, by the panel or by HAProxy', async () => {
    await admin.must('POST', '/api/lbproxy/certificates', { domain: 'www.example.com', self_signed: true })
    const secure = {
      ...frontend('tls', 443),
      binds: [{ port: 443, ssl: true, certificates: ['www.example.com'] }],
    }
    await admin.must('POST', '/api/lbproxy/frontends', secure)
    const served = await fingerprint()
    const former = await haproxyFiles(host)
    const [one, other] = await Promise.all(['a', 'b'].map(certificate))
    const wrong = { domain: 'www.example.com', certificate: one!.certificate, key: other!.key }
    const answer = await admin.ask('POST', '/api/lbproxy/certificates', wrong)
    assert.deepEqual([answer.status, answer.message], [400, 'key: does not match the certificate'])
    await assertAsBefore(former)
    const pem = join(folder(), 'certs/www.example.com.pem')
    const whole = await readFile(pem, 'utf8')
    await writeFile(pem, whole.slice(0, 200))
    const refused = await addFrontend('later', 82)
    assert.equal(refused.status, 500)
    assert.match(refused.message, /www\.example\.com\.pem/)
    assert.equal(await fingerprint(), served)
    await writeFile(pem, whole)
    await assertAsBefore(former)
  })

  it('keeps what somebody writes by hand while it is being changed', async () => {
    const byHand = {
      appended: () => appendFile(path(), '\n# appended by hand\n'),
      replaced: async () => {
        await writeFile(join(folder(), 'edited'), `# replaced by hand\n${await config()}`, { mode: 0o644 })
        await rename(join(folder(), 'edited'), path())
      },
    }
    for (const [index, [way, edit]] of Object.entries(byHand).entries()) {
      const asked = addFrontend(`beside-${way}`, 8200 + index)
      while (!readdirSync(folder()).some((name) => name.includes('hostreeve-new'))) await nextTurn()
      await edit()
      assert.equal((await asked).status, 201)
      assert.match(await config(), new RegExp(`# ${way} by hand\n`))
      assert.ok(await answers(8200 + index))
    }
  })

  it('is left alone when a disk is full, and the answer says which', async () => {
    const full = { '/etc/haproxy': 'the frontend', '/var/lib/hostreeve-haproxy': 'the backup' }
    await admin.must('POST', '/api/lbproxy/backups')
    for (const place of Object.keys(full)) {
      await host.must([
        'sh',
        '-c',
        `cp -a ${place} /root/kept && mount -t tmpfs -o size=96k,mode=755 tmpfs ${place} && cp -a /root/kept/. ${place}/`,
      ])
      await host.exec(['dd', 'if=/dev/zero', `of=${place}/fill`, 'bs=4k', 'count=99'])
      const former = (await host.must(['find', place, '-type', 'f', '-exec', 'sha256sum', '{}', '+'])).stdout
      const answer =
        place === '/etc/haproxy'
          ? await addFrontend('full', 82)
          : await admin.ask('POST', '/api/lbproxy/backups')
      assert.equal(answer.status, 507, answer.message)
      assert.match(answer.message, new RegExp(place))
      assert.equal(
        (await host.must(['find', place, '-type', 'f', '-exec', 'sha256sum', '{}', '+'])).stdout,
        former,
      )
      await host.must(['umount', place])
      await rm(join(host.rootPath, 'root/kept'), { recursive: true })
    }
    assert.equal((await addFrontend('full', 82)).status, 201)
    assert.ok(await answers(82))
  })

  it('is left alone when the whole disk of the host is full', async () => {
    const former = await haproxyFiles(host)
    await host.exec(['dd', 'if=/dev/zero', 'of=/root/fill', 'bs=1M', 'count=200'])
    await host.exec(['dd', 'if=/dev/zero', 'of=/root/rest', 'bs=1k', 'count=9999'])
    const answer = await addFrontend('nowhere', 83)
    assert.ok([500, 507].includes(answer.status), `${answer.status} ${answer.message}`)
    assert.ok(!(await answers(83)))
    await host.must(['rm', '/root/fill', '/root/rest'])
    await assertAsBefore(former)
    assert.equal((await addFrontend('nowhere', 83)).status, 201)
  })

  const moments: Readonly<Record<string, (former: string) => boolean>> = {
    'its candidate lies beside it': () =>
      readdirSync(folder()).some((name) => name.includes('hostreeve-new')),
    'the old one is kept': () => readdirSync(folder()).some((name) => name.includes('hostreeve-old')),
    'it is in place': (former) => readFileSync(path(), 'utf8') !== former,
    'HAProxy has been told': (former) =>
      readFileSync(path(), 'utf8') !== former &&
      !readdirSync(folder()).some((name) => name.includes('hostreeve-')),
  }

  it('is the whole old or the whole new one after a panel that was killed, and what HAProxy serves', async () => {
    let port = 8300
    for (const [moment, hasCome] of Object.entries(moments)) {
      const former = await config()
      const name = `killed-${++port}`
      await killWhile(
        panel,
        () => addFrontend(name, port),
        () => hasCome(former),
      )
      await assertHealed(former, name, port).catch(blame(`when ${moment}`))
    }
    for (let delayMs = 10; delayMs <= 100; delayMs += apartMs) {
      const former = await config()
      const name = `killed-${++port}`
      await killWhile(panel, () => addFrontend(name, port), afterMs(delayMs))
      await assertHealed(former, name, port).catch(blame(`after ${delayMs} ms`))
    }
  })

  it('is the whole backup or the whole present one after a panel that was killed while it restored it', async () => {
    const { name } = await admin.must('POST', '/api/lbproxy/backups')
    const backup = await config()
    for (let delayMs = 20; delayMs <= 100; delayMs += 2 * apartMs) {
      await admin.must('POST', '/api/lbproxy/frontends', frontend('lately', 8299))
      const present = await config()
      await killWhile(
        panel,
        () => admin.ask('POST', `/api/lbproxy/backups/${name}/restore`),
        afterMs(delayMs),
      )
      const now = await config()
      assert.ok(
        [backup, present].includes(now),
        `killed after ${delayMs} ms it is neither: ${now.slice(-300)}`,
      )
      assert.equal(await answers(8299), now === present, `killed after ${delayMs} ms`)
      assert.deepEqual(await haproxyLeftovers(host), [])
      if (now === present) await admin.must('DELETE', '/api/lbproxy/frontends/lately')
      assert.equal(await config(), backup)
    }
  })

  it('serves the certificate that lies on the disk after a panel that was killed while it was replaced', async () => {
    const own = await certificate('www.example.com')
    const replace = (draft: object) =>
      admin.ask('POST', '/api/lbproxy/certificates', { domain: 'www.example.com', ...draft })
    for (let delayMs = 10, round = 0; delayMs <= 90; delayMs += apartMs, round++) {
      await killWhile(panel, () => replace(round % 2 === 0 ? { self_signed: true } : own), afterMs(delayMs))
      const onDisk = (await host.must([...asFingerprint, '-in', '/etc/haproxy/certs/www.example.com.pem']))
        .stdout
      assert.equal(await fingerprint(), onDisk, `after ${delayMs} ms`)
      assert.deepEqual(await haproxyLeftovers(host), [])
    }
  })

  it('never kept a visitor from being served for more than two seconds', async () => {
    const { visits, failuresInARow } = (await prober?.stop()) ?? { visits: 0, failuresInARow: Infinity }
    assert.ok(visits > 10, `${visits} visits`)
    assert.ok(failuresInARow <= 40, `${failuresInARow} requests in a row without an answer`)
    assert.equal((await admin.must('GET', '/api/activity/verify')).ok, true)
  })

  const asFingerprint = ['openssl', 'x509', '-noout', '-fingerprint', '-sha256'] as const

  /** Of the certificate that is served. */
  async function fingerprint(): Promise<string> {
    const shown = await host.must(
      ['openssl', 's_client', '-connect', '127.0.0.1:443', '-servername', 'www.example.com'],
      { input: '' },
    )
    return (await host.must(asFingerprint, { input: shown.stdout })).stdout
  }

  /** A certificate for the name with its key, made by openssl. */
  async function certificate(name: string): Promise<{ readonly certificate: string; readonly key: string }> {
    const make = [
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '30',
    ] as const
    await host.must([
      ...make,
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `/root/${name}.key`,
      '-out',
      `/root/${name}.crt`,
    ])
    const [pem, key] = await Promise.all(
      ['crt', 'key'].map((end) => readFile(join(host.rootPath, `root/${name}.${end}`), 'utf8')),
    )
    return { certificate: pem!, key: key! }
  }

  async function assertAsBefore(former: string): Promise<void> {
    assert.equal(await haproxyFiles(host), former)
    assert.deepEqual(await haproxyLeftovers(host), [])
    assert.ok(await answers(80))
  }

  /** Asserts that it is in the file, listed and served, or none of these, with no other remains. */
  async function assertHealed(former: string, name: string, port: number): Promise<void> {
    const listed: { name: string }[] = await admin.must('GET', '/api/lbproxy/frontends')
    const isListed = listed.some((each) => each.name === name)
    const now = await config()
    if (isListed) assert.ok(now.includes(`frontend ${name}\n`) && now.startsWith(former.trimEnd()))
    else assert.equal(now, former)
    assert.equal(await answers(port), isListed, `${name} is ${isListed ? '' : 'not '}listed`)
    assert.deepEqual(await haproxyLeftovers(host), [])
    assert.ok(await answers(80))
  }
})

const page = 'the page behind the load balancer'

function blame(moment: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`killed ${moment}`, { cause: error })
  }
}
