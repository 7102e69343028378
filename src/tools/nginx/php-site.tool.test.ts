import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import type { NginxSite, SiteCache, SiteOptions } from './site.ts'
import { makeScratchNginx, nginxSkipReason, type ScratchNginx } from './testing/scratch.ts'

const reason = nginxSkipReason()

const options: SiteOptions = {
  ...{ isInMaintenance: false, redirects: [], errorPages: [], directives: [] },
  protectedFolders: [],
}

describe(
  'nginx, for a site of PHP',
  { timeout: 900_000, skip: reason === undefined ? false : `the real nginx: ${reason}` },
  () => {
    let scratch: ScratchNginx
    before(async () => {
      scratch = await makeScratchNginx()
      await scratch.nginx.setUp()
    })
    after(() => scratch.stop())

    /** Serves a folder with an index and a script that nothing runs, so that asking for it is answered by 502. */
    const publish = async (
      domain: string,
      { cache, ...more }: Partial<NginxSite> & { cache?: SiteCache },
    ) => {
      const root = `${scratch.directory}/www/${domain}`
      await mkdir(`${root}/folder`, { recursive: true })
      await writeFile(`${root}/index.php`, '<?php')
      await writeFile(`${root}/folder/index.html`, 'page')
      await scratch.nginx.steps.makeLogDirectories.act(
        { sites: [{ domain, gid: 0 }] },
        stepRun({ was: null }),
      )
      const site: NginxSite = {
        ...{ id: 1, domain, aliases: [], type: 'php', root, isSuspended: false, certificate: null },
        ...{ redirectsToHttps: false, hasHsts: false },
        php: {
          ...{ socket: `${scratch.directory}/none.sock`, dataFolders: [], seconds: 30, bodyMb: 32 },
          ...(cache && { cache }),
        },
        ...more,
      }
      await scratch.host.apply(scratch.nginx.tool, [
        { path: scratch.nginx.sitePath(domain), content: scratch.nginx.renderSite(site) },
      ])
    }
    const get = async (host: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
      const [address = '', port = ''] = scratch.layout.listen[0]!.split(':')
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
      const query = request(
        { host: address, port, path, agent: false, headers: { host, ...headers } },
        resolve,
      )
      query.on('error', reject).end()
      const answer = await promise
      answer.resume()
      return { status: answer.statusCode, connection: answer.headers.connection }
    }

    test('asks for the password of the front controller at the front page, too', async () => {
      const domain = 'front.test'
      await publish(domain, {})
      assert.equal((await get(domain, '/')).status, 502)
      const protectedFolders = [{ folder: '/index.php', file: `${scratch.directory}/none` }]
      await publish(domain, { options: { ...options, protectedFolders } })
      for (const path of ['/', '/index.php', '/missing'])
        assert.equal((await get(domain, path)).status, 401, path)
    })

    test('redirects the front page with its script', async () => {
      const domain = 'moved.test'
      const redirects = [{ from: '/index.php', to: 'https://example.com/', code: 301, isPrefix: false }]
      await publish(domain, { options: { ...options, redirects } })
      for (const path of ['/', '/index.php']) assert.equal((await get(domain, path)).status, 301, path)
    })

    test('keeps the connection of a request whose page is not kept', async () => {
      const domain = 'kept.test'
      await scratch.nginx.steps.setCacheFolder.act({ siteId: 1, isPresent: true }, stepRun({ was: null }))
      const cache = {
        ...{ seconds: 60, sizeMb: 64, keepsQueries: false, paths: ['/wp-admin/'], cookies: ['session'] },
        generationFile: `${scratch.directory}/www/${domain}/.generation`,
      }
      await publish(domain, { cache })
      for (const headers of [{}, { cookie: 'session=1' }] as Record<string, string>[])
        assert.deepEqual(await get(domain, '/folder/', { ...headers, connection: 'keep-alive' }), {
          status: 200,
          connection: 'keep-alive',
        })
    })
  },
)
