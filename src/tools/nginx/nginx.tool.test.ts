import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { Problem } from '../../core/problem.ts'
import { digestOf, openFiles } from '../../host/files.ts'
import { openHost } from '../../host/index.ts'
import { run } from '../../host/run.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import { goldenSites } from './golden/sites.ts'
import { nginx as nginxTool } from './index.ts'
import { makeScratchNginx, textOf, nginxSkipReason, type ScratchNginx } from './testing/scratch.ts'
import { renderSite } from './render-site.ts'
import type { NginxSite } from './site.ts'
import { until } from '../../../test/support/until.ts'

const reason = nginxSkipReason()

describe(
  'nginx',
  { timeout: 900_000, skip: reason === undefined ? false : `the real nginx: ${reason}` },
  () => {
    let scratch: ScratchNginx
    before(async () => {
      scratch = await makeScratchNginx()
      await scratch.nginx.setUp()
    })
    after(() => scratch.stop())

    const site = (domain: string, more: Partial<NginxSite> = {}): NginxSite => ({
      id: 1,
      domain,
      aliases: [],
      type: 'static',
      root: `${scratch.directory}/www/${domain}`,
      isSuspended: false,
      certificate: null,
      redirectsToHttps: false,
      hasHsts: false,
      ...more,
    })
    const write = (domain: string, more?: Partial<NginxSite>) => {
      return scratch.host.apply(scratch.nginx.tool, [
        { path: scratch.nginx.sitePath(domain), content: scratch.nginx.renderSite(site(domain, more)) },
      ])
    }
    const raw = (domain: string, content: string | null) =>
      scratch.host.apply(scratch.nginx.tool, [{ path: scratch.nginx.sitePath(domain), content }])
    const makeLogs = (domain: string) =>
      scratch.nginx.steps.makeLogDirectories.act({ sites: [{ domain, gid: 0 }] }, stepRun({ was: null }))
    const publish = async (domain: string, page: string) => {
      await mkdir(`${scratch.directory}/www/${domain}`, { recursive: true })
      await writeFile(`${scratch.directory}/www/${domain}/index.html`, page)
      await makeLogs(domain)
      return write(domain)
    }
    const keepPages = (siteId: number) =>
      scratch.nginx.steps.setCacheFolder.act({ siteId, isPresent: true }, stepRun({ was: null }))
    const servesDisk = async () => assert.equal((await scratch.nginx.detect()).reason, null)
    const noLeftovers = async () =>
      assert.deepEqual(
        (await readdir(scratch.layout.sitesDirectory)).filter((name) => name.startsWith('.')),
        [],
      )

    beforeEach(async () => {
      const { reason: found } = await scratch.nginx.detect()
      assert.equal(found, null, 'the test before left nginx in order')
    })

    test('serves a site as soon as its file is applied, and answers unknown names with 404', async () => {
      const applied = await publish('a.test', 'hello a')
      assert.equal(applied.isLive, true)
      assert.deepEqual(await scratch.get('a.test'), { status: 200, body: 'hello a' })
      assert.equal((await scratch.get('unknown.test')).status, 404)
      assert.equal((await write('a.test')).isChanged, false)
      await noLeftovers()
    })

    test('answers the challenges for a name that is no site, and nothing else', async () => {
      const { challengesDirectory } = scratch.layout
      await mkdir(challengesDirectory, { recursive: true })
      await writeFile(`${challengesDirectory}/token`, 'proof')
      const at = (path: string) => scratch.get('panel.test', path)
      await raw('hostreeve-panel', scratch.nginx.renderChallenges('panel.test'))
      assert.deepEqual(await at('/.well-known/acme-challenge/token'), { status: 200, body: 'proof' })
      assert.deepEqual([(await at('/')).status, (await at('/token')).status], [404, 404])
      await raw('hostreeve-panel', null)
      assert.equal((await at('/.well-known/acme-challenge/token')).status, 404)
    })

    test('a second set-up changes nothing', async () => {
      const served = await scratch.program.served()
      await scratch.nginx.setUp()
      assert.equal(await scratch.program.served(), served)
      assert.equal((await scratch.get('unknown.test')).status, 404)
    })

    test('every new connection after apply sees the new configuration', async () => {
      await publish('new.test', 'new')
      for (let round = 0; round < 10; round++) {
        await write('new.test', { isSuspended: round % 2 === 0 })
        const statuses = await Promise.all(Array.from({ length: 20 }, () => scratch.get('new.test')))
        assert.deepEqual([...new Set(statuses.map((each) => each.status))], [round % 2 === 0 ? 503 : 200])
      }
    })

    test("never serves a symlink to another owner's file, a hidden file, or a document root that is such a symlink", async () => {
      await publish('a.test', 'hello a')
      await publish('links.test', 'mine')
      const root = `${scratch.directory}/www/links.test`
      await writeFile(`${root}/.secret`, 'hidden')
      await mkdir(`${root}/.well-known`)
      await writeFile(`${root}/.well-known/token`, 'token')
      await symlink('/etc/passwd', `${root}/passwd`)
      await symlink('index.html', `${root}/own`)
      await run(['chown', '-Rh', '12345:12345', root])
      assert.equal((await scratch.get('links.test', '/own')).body, 'mine')
      assert.equal((await scratch.get('links.test', '/passwd')).status, 404)
      assert.equal((await scratch.get('links.test', '/.secret')).status, 404)
      assert.equal((await scratch.get('links.test', '/.well-known/token')).body, 'token')
      await rm(root, { recursive: true })
      await symlink(`${scratch.directory}/www/a.test`, root)
      await run(['chown', '-h', '12345:12345', root])
      assert.notEqual((await scratch.get('links.test')).status, 200)
    })

    test('never follows a symlink of an owner behind a home', async () => {
      const home = `${scratch.directory}/www/ann`
      const root = `${home}/sites/home.test/public`
      const other = `${scratch.directory}/www/bob`
      await mkdir(root, { recursive: true })
      await mkdir(`${other}/home.test/public`, { recursive: true })
      await mkdir(`${other}/public`)
      for (const folder of [root, other, `${other}/home.test/public`, `${other}/public`])
        await writeFile(`${folder}/index.html`, folder === root ? 'mine' : "another owner's")
      await run(['chown', '-R', '12345:12345', home])
      await run(['chown', '-R', '12346:12346', other])
      await makeLogs('home.test')
      await write('home.test', { root })
      assert.match((await textOf(scratch.nginx.sitePath('home.test'))) ?? '', new RegExp(`from=${home};`))
      assert.equal((await scratch.get('home.test')).body, 'mine')
      for (const [path, target] of [
        [`${root}/index.html`, `${other}/index.html`],
        [root, other],
        [`${home}/sites/home.test`, `${other}/home.test`],
        [`${home}/sites`, other],
      ] as const) {
        await rm(path, { recursive: true })
        await symlink(target, path)
        await run(['chown', '-h', '12345:12345', path])
        const { status, body } = await scratch.get('home.test')
        assert.ok(status !== 200 && !body.includes('another'), `${path}: ${status} ${body}`)
      }
    })

    test("refuses a configuration with nginx's own message, names the live file and keeps it unchanged", async () => {
      await publish('bad.test', 'still here')
      const old = await textOf(scratch.nginx.sitePath('bad.test'))
      await assert.rejects(raw('bad.test', 'server { listen nonsense:; }\n'), (error: Problem) => {
        assert.equal(error.kind.code, 'config_failed')
        assert.match(error.message, /\[emerg\].*bad\.test\.conf/)
        return true
      })
      await assert.rejects(
        raw('fresh.test', 'nonsense;\n'),
        /unknown directive "nonsense" in \S+sites\/fresh\.test\.conf:2/,
      )
      assert.equal(await textOf(scratch.nginx.sitePath('bad.test')), old)
      assert.equal(await textOf(scratch.nginx.sitePath('fresh.test')), undefined)
      assert.equal((await scratch.get('bad.test')).body, 'still here')
      await noLeftovers()
    })

    test('refuses a name that another file already serves', async () => {
      await publish('a.test', 'hello a')
      await makeLogs('b.test')
      await assert.rejects(write('b.test', { aliases: ['a.test'] }), /conflicting server name "a\.test"/)
      assert.equal(await textOf(scratch.nginx.sitePath('b.test')), undefined)
    })

    test('restores the old file when a reload fails, and continues serving', async () => {
      await publish('port.test', 'old')
      const taken = createServer().listen(0, '127.0.0.1')
      await new Promise((resolve) => taken.once('listening', resolve))
      const { port } = taken.address() as { port: number }
      const old = await textOf(scratch.nginx.sitePath('port.test'))
      try {
        const change = raw('port.test', `server { listen 127.0.0.1:${port}; server_name port.test; }\n`)
        await assert.rejects(change, new RegExp(`bind\\(\\) to 127\\.0\\.0\\.1:${port} failed`))
      } finally {
        taken.close()
      }
      assert.equal(await textOf(scratch.nginx.sitePath('port.test')), old)
      assert.equal((await scratch.get('port.test')).body, 'old')
      await servesDisk()
      assert.equal((await raw('port.test', null)).isLive, true)
    })

    test('refuses to replace a manually edited file and shows the diff, unless it may be overwritten', async () => {
      await publish('hand.test', 'x')
      const path = scratch.nginx.sitePath('hand.test')
      await writeFile(path, `${await textOf(path)}# mine\n`)
      await assert.rejects(write('hand.test'), (error: Problem) => {
        assert.equal(error.kind.code, 'edited_by_hand')
        assert.match(String(error.fields['diff']), /^-# mine$/m)
        return true
      })
      await scratch.host.apply(
        scratch.nginx.tool,
        [{ path, content: scratch.nginx.renderSite(site('hand.test')) }],
        { overwrite: true },
      )
      assert.doesNotMatch((await textOf(path)) ?? '', /mine/)
    })

    test('detects a manual edit during the check', async () => {
      await publish('race.test', 'x')
      const path = scratch.nginx.sitePath('race.test')
      const host = openHost()
      const slow = nginxTool.open(host, {
        layout: scratch.layout,
        starter: { start: async () => {}, isStoppedOnPurpose: async () => false },
        program: {
          ...scratch.program,
          check: async (mounts) => {
            await writeFile(path, '# by hand meanwhile\n')
            return scratch.program.check(mounts)
          },
        },
      })
      const content = scratch.nginx.renderSite(site('race.test', { isSuspended: true }))
      await assert.rejects(host.apply(slow.tool, [{ path, content }]), { message: /edited by hand/ })
      assert.equal(await textOf(path), '# by hand meanwhile\n')
      await scratch.host.apply(scratch.nginx.tool, [{ path, content: null }], { overwrite: true })
    })

    test('activates fifty concurrent edits with few reloads, and rejects only the bad one', async () => {
      const generations = new Set<string>()
      const settled = await Promise.allSettled(
        Array.from({ length: 50 }, (_, n) =>
          raw(
            `n${n}.test`,
            n === 23
              ? 'nonsense;\n'
              : `server { listen 127.0.0.1:${scratch.port}; server_name n${n}.test; return 200 n${n}; }\n`,
          ),
        ),
      )
      settled.forEach((each) => each.status === 'fulfilled' && generations.add(each.value.generation))
      assert.deepEqual(
        settled.flatMap((each, n) => (each.status === 'rejected' ? [n] : [])),
        [23],
      )
      assert.ok(generations.size <= 2, `${generations.size} reloads`)
      assert.equal((await scratch.get('n49.test')).body, 'n49')
      assert.equal((await scratch.get('n22.test')).body, 'n22')
      await noLeftovers()
    })

    test('rejects only the author of a failed reload', async () => {
      const taken = createServer().listen(0, '127.0.0.1')
      await new Promise((resolve) => taken.once('listening', resolve))
      const { port } = taken.address() as { port: number }
      const [good, bad] = await Promise.allSettled([
        raw(
          'good.test',
          `server { listen 127.0.0.1:${scratch.port}; server_name good.test; return 200 good; }\n`,
        ),
        raw('greedy.test', `server { listen 127.0.0.1:${port}; server_name greedy.test; }\n`),
      ])
      taken.close()
      assert.deepEqual([good.status, bad.status], ['fulfilled', 'rejected'])
      assert.equal((await scratch.get('good.test')).body, 'good')
      assert.equal(await textOf(scratch.nginx.sitePath('greedy.test')), undefined)
    })

    test('restarts a killed nginx although its socket was left behind', async () => {
      await publish('dead.test', 'alive')
      const master = await scratch.program.master()
      const workers = await scratch.program.workers(master!)
      for (const pid of [master!, ...workers]) process.kill(pid, 'SIGKILL')
      await until(async () => (await scratch.program.master()) === undefined)
      assert.notEqual((await scratch.nginx.detect()).reason, null)
      await scratch.nginx.reconcile()
      assert.equal((await scratch.get('dead.test')).body, 'alive')
    })

    test('undoes a change whose panel was killed at any point', async () => {
      await publish('kill.test', 'before')
      const { writeSites } = scratch.nginx.steps
      const content = scratch.nginx.renderSite(site('kill.test', { isSuspended: true }))
      const args = { sites: [{ domain: 'kill.test', content }] }
      const path = scratch.nginx.sitePath('kill.test')
      for (const point of ['generation written', 'file written', 'reloaded'] as const) {
        const seen = await writeSites.observe(args)
        await playUntil(point, path, content)
        assert.equal(await writeSites.check(args, seen), point === 'reloaded' ? 'wanted' : 'other', point)
        await writeSites.undo(args, seen)
        await writeSites.undo(args, seen)
        assert.equal(await writeSites.check(args, seen), 'before', point)
        assert.equal((await scratch.get('kill.test')).body, 'before')
        await servesDisk()
      }
      await scratch.nginx.reconcile()
      await noLeftovers()
    })

    test('recovers from a real kill -9 at every step', { timeout: 300_000 }, async () => {
      await publish('nine.test', 'before')
      const { sitePath } = scratch.nginx
      const { writeSites } = scratch.nginx.steps
      const content = scratch.nginx.renderSite(site('nine.test', { isSuspended: true }))
      const args = { sites: [{ domain: 'nine.test', content }] }
      const edit = { path: sitePath('nine.test'), content }
      let killAt = 1
      for (; ; killAt++) {
        const seen = await writeSites.observe(args)
        const input = JSON.stringify({ layout: scratch.layout, edit, killAt })
        const { code, stdout, stderr } = await run([
          process.execPath,
          join(import.meta.dirname, 'testing/killed-apply.ts'),
          input,
        ])
        if (stdout !== 'done') assert.equal(code, 137, stderr)
        await scratch.nginx.reconcile()
        await servesDisk()
        await noLeftovers()
        const state = await writeSites.check(args, seen)
        assert.equal(
          (await scratch.get('nine.test')).status,
          state === 'wanted' ? 503 : 200,
          `killed at ${killAt}`,
        )
        await writeSites.undo(args, seen)
        assert.equal((await scratch.get('nine.test')).body, 'before', `killed at ${killAt}`)
        if (stdout === 'done') break
      }
      assert.ok(killAt > 12, `only ${killAt} steps were killed`)
    })

    /** The operations of a panel that was killed immediately after this point. */
    async function playUntil(
      point: 'generation written' | 'file written' | 'reloaded',
      path: string,
      content: string,
    ) {
      const files = openFiles()
      if (point === 'reloaded') return scratch.host.apply(scratch.nginx.tool, [{ path, content }])
      await files.prepare(path, 'a leftover')
      await files.write(scratch.layout.generationPath, scratch.nginx.tool.generation.render(digestOf(point)))
      if (point === 'file written')
        await files.write(path, `# hostreeve: sha256=${digestOf(content)}\n${content}`)
    }

    test('reports that nginx is missing, and writes nothing', async () => {
      const missing = async () => ({ code: 127, stdout: '', stderr: '', isCut: false, durationMs: 0 })
      const host = openHost({ run: missing })
      const nginx = nginxTool.open(host, { layout: scratch.layout })
      const path = nginx.sitePath('none.test')
      await assert.rejects(host.apply(nginx.tool, [{ path, content: '' }]), {
        message: /nginx is not installed/,
      })
      assert.equal((await nginx.detect()).reason, 'nginx is not installed')
      assert.equal(await textOf(path), undefined)
    })

    const makeCertificate = async (file: string) => {
      const { cert, key } = await createSelfSigned('a.test', [{ type: 'dns', value: 'a.test' }], new Date())
      await scratch.host.files.makeDirectory(scratch.layout.certificatesDirectory, { mode: 0o700 })
      await scratch.host.files.write(scratch.nginx.certificatePath(file), cert + key)
    }

    test('accepts every golden file', async () => {
      for (const [name, site] of Object.entries(goldenSites)) {
        await makeLogs(site.domain)
        if (site.certificate !== null) await makeCertificate(site.certificate)
        if (site.php?.cache !== undefined) await keepPages(site.id)
        const applied = await raw(site.domain, renderSite(site, scratch.layout))
        assert.equal(applied.isLive, true, name)
        await raw(site.domain, null)
      }
    })

    test('uses the existing default server of another file instead of its own', async () => {
      const other = await makeScratchNginx()
      try {
        await other.writeMain(
          `server { listen ${other.layout.listen[0]} default_server; return 418; } server_names_hash_bucket_size 128;
          server { listen ${other.layout.listenTls[0]} ssl default_server; ssl_reject_handshake on; }`,
        )
        await other.nginx.setUp()
        assert.doesNotMatch(
          await readFile(other.layout.ownConfigPath, 'utf8'),
          /default_server|server_names_hash_bucket_size/,
        )
        assert.equal((await other.get('unknown.test')).status, 418)
      } finally {
        await other.stop()
      }
    })

    test('refuses unknown names over TLS where another file has the default server of http alone', async () => {
      const other = await makeScratchNginx()
      try {
        await other.writeMain(`server { listen ${other.layout.listen[0]} default_server; return 418; }`)
        await other.nginx.setUp()
        const own = await readFile(other.layout.ownConfigPath, 'utf8')
        assert.deepEqual(own.match(/.*default_server.*/g), [
          `    listen ${other.layout.listenTls[0]} ssl default_server;`,
        ])
        assert.match(own, /ssl_reject_handshake on/)
        assert.equal((await other.get('unknown.test')).status, 418)
      } finally {
        await other.stop()
      }
    })
  },
)
