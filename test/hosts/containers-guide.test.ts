import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { mirrorRegistry, pushCatalogImages } from './story/catalog-images.ts'
import { startEngine } from './story/docker.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'

/** Health checks run every ten seconds, and the guide waits for several. */
const limitMs = 600_000

describe('the guide of the catalog of containers', () => {
  let host: Host
  let panel: Panel
  const docker = async (...args: readonly string[]) => (await host.must(['docker', ...args])).stdout.trim()

  before(async () => {
    host = await bootHost('guide', { image: 'docker' })
    await mirrorRegistry(host)
    await startEngine(host)
    await pushCatalogImages(host)
    panel = await startPanel(host)
    await SignedIn.as(panel)
  })
  after(async () => void (await host?.remove()))

  it('launches an app and a stack, shows their passwords, and removes what nothing uses', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/container-catalog.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide), limitMs)
    assert.match(output, /Opens port 8190\/tcp to everyone who reaches this host/)
    assert.match(output, /^page of nginx$/m)
    assert.match(output, /^PONG$/m)
    assert.match(output, /"instance":"sessions","stack_id":"redis-replica"/)
    assert.match(output, /Pulled prom\/prometheus:v3\.3\.0/)
    assert.match(await docker('ps', '--format', '{{.Names}}'), /^cache$/m)
    assert.equal(await docker('ps', '--all', '--quiet', '--filter', 'label=hostreeve.stack=sessions'), '')
    assert.doesNotMatch(await docker('volume', 'ls', '--quiet'), /sessions/)
    assert.equal(await docker('images', '--quiet', 'prom/prometheus'), '')
  })
})
