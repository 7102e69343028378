import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootBare, bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { openPythonDocs } from './story/python-docs.ts'
import type { PythonDocs } from './story/python-docs.ts'
import { SignedIn } from './story/signed-in.ts'
import type { Owner } from './story/signed-in.ts'
import { forEach, visit } from './story/visit.ts'

const kinds = [
  { title: 'on a host with systemd and without nginx', boot: bootHost, without: ['nginx'] },
  { title: 'on a host without systemd', boot: bootBare, without: [] },
]

let docs: PythonDocs
before(async () => void (docs = await openPythonDocs()))
after(() => docs?.remove())

for (const { title, boot, without } of kinds)
  describe(`the first sites ${title}`, () => {
    let host: Host
    let panel: Panel
    let admin: SignedIn
    let ada: Owner & { siteId?: number }
    let bob: Owner & { siteId?: number }
    const domain = 'ada.example.com'
    const bobsDomain = 'bob.example.com'
    const bobsPage = '<h1>the page of bob</h1>\n'
    const publicFolder = `sites/${domain}/public`
    const asAccount = (name: string, ...argv: string[]) =>
      host.exec(['setpriv', `--reuid=${name}`, `--regid=${name}`, '--clear-groups', '--', ...argv])
    const asAda = (...argv: string[]) => asAccount('ada', ...argv)

    before(async () => {
      host = await boot('first', { without })
      panel = await startPanel(host)
      admin = await SignedIn.as(panel)
    })
    after(() => host?.remove())

    it('find nginx installed and set up by a job that tells how far it is', async () => {
      const events = await admin.installNginx()
      assert.ok(events.some(({ type, percent }) => type === 'progress' && Number(percent) > 0))
      const programs: { name: string; healthy: boolean }[] = await admin.must('GET', '/api/programs')
      assert.equal(programs.find(({ name }) => name === 'nginx')?.healthy, true)
    })

    it('belong to owners with Linux accounts of their own, who create them', async () => {
      ada = await admin.makeOwner('ada')
      bob = await admin.makeOwner('bob')
      assert.match((await host.must(['id', '-u', 'ada'])).stdout, /^1\d\d\d\n$/)
      ada.siteId = (await ada.signedIn.must('POST', '/api/websites', { domain, type: 'static' })).id
      bob.siteId = (
        await bob.signedIn.must('POST', '/api/websites', { domain: bobsDomain, type: 'static' })
      ).id
      const { status, text } = await visit(host, domain)
      assert.equal(status, 200)
      assert.match(text, /<h1>ada\.example\.com<\/h1>/, 'the placeholder page')
      await host.must(['rm', `/home/ada/${publicFolder}/index.html`])
      assert.equal((await visit(host, domain)).status, 403, 'an empty folder shows no list')
    })

    it('are uploaded as an archive, unpacked, and served byte for byte', async () => {
      const uploaded = await ada.signedIn.upload(
        { username: 'ada', path: `sites/${domain}` },
        'site.tar.gz',
        await readFile(docs.archivePath),
      )
      assert.equal(uploaded.status, 201, uploaded.message)
      const extract = { username: 'ada', archive_path: `sites/${domain}/site.tar.gz`, dst_path: publicFolder }
      assert.ok(
        (await ada.signedIn.must('POST', '/api/filemanager/extract', extract)).files >= docs.files.length,
      )
      await assertServed()
      const written = { username: 'bob', path: `sites/${bobsDomain}/public/index.html`, content: bobsPage }
      await bob.signedIn.must('POST', '/api/filemanager/write', written)
      assert.equal((await visit(host, bobsDomain)).text, bobsPage)
    })

    it('show their requests in their own log', async () => {
      await visit(host, domain, '/genindex.html?asked=once')
      const { lines } = await ada.signedIn.must('GET', `/api/websites/${ada.siteId}/logs?search=asked=once`)
      assert.equal(lines.length, 1)
      assert.match(lines[0], /"GET \/genindex\.html\?asked=once HTTP\/1\.1" 200 /)
      const others = await bob.signedIn.must('GET', `/api/websites/${bob.siteId}/logs?search=genindex`)
      assert.deepEqual(others.lines, [])
    })

    it('answer under an alias while they have it', async () => {
      const alias = 'www.ada.example.com'
      await ada.signedIn.must('POST', `/api/websites/${ada.siteId}/aliases`, { name: alias })
      assert.deepEqual((await visit(host, alias, '/index.html')).bytes, await original('index.html'))
      await ada.signedIn.must('DELETE', `/api/websites/${ada.siteId}/aliases/${alias}`)
      assert.notDeepEqual((await visit(host, alias, '/index.html')).bytes, await original('index.html'))
    })

    it('answer 503 while they are suspended, and only they', async () => {
      await ada.signedIn.must('POST', `/api/websites/${ada.siteId}/suspend`)
      assert.equal((await visit(host, domain, '/index.html')).status, 503)
      assert.equal((await visit(host, bobsDomain)).text, bobsPage)
      await ada.signedIn.must('POST', `/api/websites/${ada.siteId}/unsuspend`)
      assert.deepEqual((await visit(host, domain, '/index.html')).bytes, await original('index.html'))
    })

    it('are not there for each other’s owners', async () => {
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['GET', '/logs'],
        ['POST', '/suspend'],
      ] as const) {
        const answer = await ada.signedIn.ask(
          method,
          `/api/websites/${bob.siteId}${path}`,
          method === 'PATCH' ? { aliases: [] } : undefined,
        )
        assert.deepEqual([answer.status, answer.code], [404, 'not_found'], `${method} ${path}`)
      }
      const { items } = await ada.signedIn.must('GET', '/api/websites')
      assert.deepEqual(
        items.map((site: { domain: string }) => site.domain),
        [domain],
      )
    })

    it('keep their owners out of each other’s files', async () => {
      const bobsFile = `sites/${bobsDomain}/public/index.html`
      const byName = await ada.signedIn.ask('GET', `/api/filemanager/read?username=bob&path=${bobsFile}`)
      assert.deepEqual([byName.status, byName.code], [403, 'forbidden'])
      const bySite = await ada.signedIn.ask(
        'GET',
        `/api/filemanager/read?website_id=${bob.siteId}&path=${bobsFile}`,
      )
      assert.deepEqual([bySite.status, bySite.code], [404, 'not_found'])
      const upwards = await ada.signedIn.ask(
        'GET',
        `/api/filemanager/read?username=ada&path=../bob/${bobsFile}`,
      )
      assert.ok([400, 403, 404].includes(upwards.status), String(upwards.status))
      assert.equal((await asAda('ls', '/home/ada')).code, 0)
      for (const path of ['/home/bob', `/home/bob/${bobsFile}`])
        assert.notEqual((await asAda('cat', path)).code, 0, path)
      assert.notEqual((await asAda('ls', '/home/bob')).code, 0)
    })

    it('show nothing through links to what another owner or root has', async () => {
      const targets = {
        'page.html': `/home/bob/sites/${bobsDomain}/public/index.html`,
        shadow: '/etc/shadow',
        passwd: '/etc/passwd',
        folder: `/home/bob/sites/${bobsDomain}/public`,
      }
      for (const [name, target] of Object.entries(targets))
        assert.equal((await asAda('ln', '-s', target, `/home/ada/${publicFolder}/${name}`)).code, 0)
      for (const name of ['page.html', 'shadow', 'passwd', 'folder/index.html']) {
        const { status } = await visit(host, domain, `/${name}`)
        assert.ok(status === 403 || status === 404, `nginx answers ${status} to /${name}`)
        for (const verb of ['read', 'download']) {
          const answer = await ada.signedIn.ask(
            'GET',
            `/api/filemanager/${verb}?username=ada&path=${publicFolder}/${name}`,
          )
          assert.ok(
            answer.status >= 400 && answer.status < 500,
            `${verb} answers ${answer.status} to ${name}`,
          )
        }
      }
      for (const name of Object.keys(targets)) await asAda('rm', `/home/ada/${publicFolder}/${name}`)
    })

    it('show nothing of another owner where a link stands in place of the folder that is served', async () => {
      const folder = `/home/ada/${publicFolder}`
      await asAda('mv', folder, `${folder}.kept`)
      assert.equal((await asAda('ln', '-s', `/home/bob/sites/${bobsDomain}/public`, folder)).code, 0)
      const { status, text } = await visit(host, domain, '/index.html')
      await asAda('rm', folder)
      await asAda('mv', `${folder}.kept`, folder)
      assert.ok(status === 403 || status === 404, `${status}: ${text.slice(0, 100)}`)
      assert.equal((await visit(host, domain, '/index.html')).status, 200)
    })

    it('are served again after a reboot', async () => {
      await host.reboot()
      if (host.init === 'systemd')
        assert.deepEqual(
          (await visit(host, domain, '/index.html')).bytes,
          await original('index.html'),
          'also before the panel runs',
        )
      await panel.start()
      await assertServed()
      assert.equal((await visit(host, bobsDomain)).text, bobsPage)
      assert.equal(
        (await ada.signedIn.ask('GET', `/api/websites/${ada.siteId}`)).status,
        200,
        'and their owners are still signed in',
      )
    })

    it('are gone from nginx when they are deleted, with their files when that was asked for', async () => {
      await ada.signedIn.must('DELETE', `/api/websites/${ada.siteId}`)
      await bob.signedIn.must('DELETE', `/api/websites/${bob.siteId}?files=remove`)
      assert.notDeepEqual((await visit(host, domain, '/index.html')).bytes, await original('index.html'))
      assert.notEqual((await visit(host, bobsDomain)).text, bobsPage)
      assert.doesNotMatch((await host.must(['nginx', '-T'])).stdout, /(ada|bob)\.example\.com/)
      await host.must(['test', '-e', `/home/ada/${publicFolder}/index.html`])
      assert.notEqual((await host.exec(['test', '-e', `/home/bob/sites/${bobsDomain}`])).code, 0)
      assert.equal((await admin.must('GET', '/api/activity/verify')).ok, true)
    })

    it('leave no logs to the next owner of their domain, whose own visits are logged', async () => {
      const archived = `/var/log/hostreeve/deleted-sites/${ada.siteId}`
      assert.match((await host.must(['cat', `${archived}/access.log`])).stdout, /asked=once/)
      assert.notEqual((await asAda('cat', `${archived}/access.log`)).code, 0)
      assert.notEqual((await host.exec(['test', '-L', `/home/ada/logs/${domain}`])).code, 0)
      const { id } = await bob.signedIn.must('POST', '/api/websites', { domain, type: 'static' })
      await visit(host, domain, '/index.html?asked=anew')
      const { lines } = await bob.signedIn.must('GET', `/api/websites/${id}/logs`)
      assert.equal(lines.length, 1)
      assert.match(lines[0], /asked=anew/)
      const log = `/home/bob/logs/${domain}/access.log`
      assert.match((await host.must(['stat', '-L', '-c', '%a %U %G', log])).stdout, /^640 root bob$/m)
      assert.equal((await asAccount('bob', 'cat', log)).stdout, `${lines[0]}\n`)
      assert.notEqual((await asAda('cat', `/var/log/hostreeve/sites/${domain}/access.log`)).code, 0)
    })

    const original = (path: string) => readFile(join(docs.folder, path))

    /** Every file as it was, byte for byte; hidden ones are never served. */
    async function assertServed(): Promise<void> {
      const wrong: string[] = []
      await forEach(docs.files, 8, async (path) => {
        const response = await visit(host, domain, `/${path.split('/').map(encodeURIComponent).join('/')}`)
        const isHidden = path.split('/').some((part) => part.startsWith('.'))
        const isRight = isHidden
          ? response.status === 404
          : response.status === 200 && response.bytes.equals(await original(path))
        if (!isRight) wrong.push(`${path}: ${response.status}`)
      })
      assert.deepEqual(wrong, [])
      assert.ok(docs.files.length > 1000)
    }
  })
