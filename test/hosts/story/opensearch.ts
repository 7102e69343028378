import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureBuilt, findBuilt } from '../harness/built.ts'
import type { Host } from '../harness/index.ts'
import { must, proxies } from '../harness/outer.ts'
import { checkout } from './guide.ts'
import { untilListening } from './until-listening.ts'

const version = '2.19.6'
const packaging = 4
const recipe = [version, packaging] as const

const folder = '/srv/opensearch'
const port = 8099

/** Where a host installs OpenSearch from: its own loopback. */
export const vendorUrl = `http://127.0.0.1:${port}`

/** Makes the package repository of OpenSearch from Maven artifacts, once on a machine. */
export async function fetchOpensearch(): Promise<void> {
  await ensureBuilt('opensearch', recipe, async (built) => {
    const options = { timeoutMs: 900_000, env: { ...proxies(), HOME: built } }
    await must(['bash', join(checkout, 'test/hosts/opensearch.sh'), built], options)
  })
}

/** Serves the package repository on a host. */
export async function startVendor(host: Host): Promise<void> {
  const built = await findBuilt('opensearch', recipe)
  await cp(join(built, 'vendor'), join(host.rootPath, folder), { recursive: true })
  const program = `require('http').createServer((ask, answer) => require('fs').createReadStream('${folder}' + ask.url).on('error', () => answer.writeHead(404).end()).pipe(answer)).listen(${port}, '127.0.0.1')`
  const node = '/opt/hostreeve/node_modules/.bin/node'
  await host.must(['systemd-run', '--quiet', '--unit=opensearch-vendor', node, '-e', program])
  await untilListening(host, port)
}
