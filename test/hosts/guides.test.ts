import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { visit } from './story/visit.ts'

const checkout = join(import.meta.dirname, '../..')

describe('the commands of the guide to a first site', () => {
  let host: Host
  let panel: Panel
  before(async () => {
    host = await bootHost('guide', { without: ['nginx'] })
    panel = await startPanel(host)
  })
  after(() => host?.remove())

  it('publish it, one after another as they stand there', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/first-site.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /"state":"succeeded"/)
    assert.match(output, /"steps":/, 'the plan')
    assert.match(output, /<h1>Hello from Ada<\/h1>/)
    assert.match(output, /GET \/ HTTP\/1\.1\\" 200/, 'the log')
    assert.match((await visit(host, 'www.ada.example.com')).text, /Hello from Ada/)
  })
})

describe('the ten lines of the README', () => {
  let host: Host
  let panel: Panel
  before(async () => {
    host = await bootHost('readme', { without: ['nginx'] })
    panel = await startPanel(host)
  })
  after(() => host?.remove())

  it('publish a site', async () => {
    const readme = await readFile(join(checkout, 'README.md'), 'utf8')
    const section = readme.split(/^## /m).find((each) => each.startsWith('A first site\n')) ?? ''
    const blocks = shellBlocks(section)
    assert.equal(blocks.length, 1)
    assert.ok(blocks[0]!.trim().split('\n').length <= 10, 'ten lines')
    assert.match(await runAll(host, panel, blocks), /<h1>Hello<\/h1>\n$/)
  })
})

for (const name of ['changes.md', 'operating.md'])
  describe(`the commands of the guide ${name}`, () => {
    let host: Host
    let panel: Panel
    before(async () => {
      host = await bootHost('guide')
      panel = await startPanel(host)
    })
    after(() => host?.remove())

    it('work as they stand there', async () => {
      const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides', name), 'utf8'))
      assert.ok(blocks.length > 0)
      await runAll(host, panel, blocks)
    })
  })

/** The text of every block that is fenced as `sh`. */
function shellBlocks(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] ?? '')
}

/** Runs the blocks in one shell, as somebody who pastes them would; the first command that fails ends it. */
async function runAll(host: Host, panel: Panel, blocks: readonly string[]): Promise<string> {
  await writeFile(join(host.rootPath, 'root/pasted.sh'), blocks.join('\n'))
  const { HOSTREEVE_ADMIN_EMAIL: EMAIL, HOSTREEVE_ADMIN_PASSWORD: PASSWORD, HOSTREEVE_DATA_DIR, HOSTREEVE_PORT: port } = panel.environment
  const BASE = `http://127.0.0.1:${port}`
  const env = { CHECKOUT: '/opt/hostreeve', BASE, PANEL: BASE, EMAIL, PASSWORD, HOSTREEVE_DATA_DIR, PATH: `/opt/hostreeve/node_modules/.bin:${path}` }
  const { stdout } = await host.must(['bash', '-e', '-o', 'pipefail', '/root/pasted.sh'], { env, timeoutMs: 120_000 })
  return stdout
}

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
