import Fastify from 'fastify'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { dirname } from 'node:path'
import type { Browser } from 'playwright-core'
import { aliceUid, type FilesBench, openFilesBench } from '../../src/areas/filemanager/testing/files-bench.ts'
import { readAssets } from '../../src/app/assets.ts'
import { serveWebPanel } from '../../src/surfaces/http/web-panel.ts'
import { openBrowser, openPage, type Visit, type Watched } from './browser.ts'
import { signIn } from './flows/sign-in.ts'

/** A panel for browser tests, with real homes. */
export interface FilesPanel extends FilesBench {
  readonly baseUrl: string
  /** Writes a file in the home of alice, owned by her. */
  put(path: string, content: string | Uint8Array): void
}

/** Starts the panel on a loopback port, with the pages of a built panel. */
export async function openFilesPanel(webFolder: string, port = 0): Promise<FilesPanel> {
  const bench = await openFilesBench()
  const web = Fastify()
  const page = serveWebPanel(readAssets(webFolder), readFileSync(`${webFolder}/index.html`, 'utf8'))
  web.setNotFoundHandler((request, reply) => page(request, reply) ?? reply.code(404).send())
  await Promise.all([web.ready(), bench.panel.app.ready()])
  const server = createServer((request, reply) =>
    (request.url?.startsWith('/api') ? bench.panel.app : web).routing(request, reply),
  )
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    ...bench,
    baseUrl: `http://localhost:${typeof address === 'object' ? address?.port : port}`,
    put: (path, content) => putFile(bench, path, content),
    remove: async () => {
      server.closeAllConnections()
      server.close()
      await web.close()
      await bench.remove()
    },
  }
}

function putFile({ at }: FilesBench, path: string, content: string | Uint8Array): void {
  const made = mkdirSync(dirname(at(path)), { recursive: true })
  for (
    let folder = dirname(at(path));
    made !== undefined && folder.length >= made.length;
    folder = dirname(folder)
  )
    chownSync(folder, aliceUid, aliceUid)
  writeFileSync(at(path), content)
  chownSync(at(path), aliceUid, aliceUid)
}

/** Opens a browser in which alice is signed in. */
export async function visitFiles(
  panel: FilesPanel,
): Promise<{ readonly browser: Browser; readonly watched: Watched; readonly visit: Visit }> {
  const browser = await openBrowser()
  const watched = await openPage(browser)
  const visit = { baseUrl: panel.baseUrl, page: watched.page }
  await signIn(visit, panel.alice)
  return { browser, watched, visit }
}
