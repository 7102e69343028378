import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Layout } from '../../support/phpmyadmin.ts'
import type { Host } from '../harness/index.ts'
import { untilListening } from './until-listening.ts'

const folder = '/srv/phpmyadmin'
const port = 8098

/** Where a host downloads phpMyAdmin from: its own loopback. */
export const sourceUrl = `http://127.0.0.1:${port}`

/** Starts a server of files on a host. */
export async function startSource(host: Host): Promise<void> {
  const program = `require('http').createServer((ask, answer) => require('fs').createReadStream('${folder}' + ask.url).on('error', () => answer.writeHead(404).end()).pipe(answer)).listen(${port}, '127.0.0.1')`
  const node = '/opt/hostreeve/node_modules/.bin/node'
  await host.must(['systemd-run', '--quiet', '--unit=phpmyadmin-source', node, '-e', program])
  await untilListening(host, port)
}

/** Offers these files, and no others. */
export async function offer(host: Host, layout: Layout): Promise<void> {
  await rm(join(host.rootPath, folder), { recursive: true, force: true })
  for (const [path, content] of layout) {
    const file = join(host.rootPath, folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
}
