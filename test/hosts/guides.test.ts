import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { keyOf } from '../../src/areas/auth/testing/secret-key.ts'
import { codeOf, counterAt } from '../../src/areas/auth/totp.ts'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'

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

/** What a guide assumes before its commands are run. */
const prepare: Readonly<Record<string, (panel: Panel) => Promise<void>>> = {
  'operating.md': enableSecondFactor,
}
/** Output that shows that the commands had something to do. */
const outputs: Readonly<Record<string, RegExp>> = { 'operating.md': /signs in without a second factor/ }

for (const name of ['changes.md', 'operating.md', 'files.md', 'account.md', 'jobs.md', 'software.md'])
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
      await prepare[name]?.(panel)
      const output = await runAll(host, panel, blocks)
      assert.match(output, outputs[name] ?? /./)
    })
  })

/** Gives the first superuser a second factor, which the guide removes. */
async function enableSecondFactor(panel: Panel): Promise<void> {
  const admin = await SignedIn.as(panel)
  const { HOSTREEVE_ADMIN_PASSWORD: password } = panel.environment
  const { secret } = await admin.must('POST', '/api/auth/otp/setup', { password })
  const otp = codeOf(keyOf(secret), counterAt(new Date()))
  await admin.must('POST', '/api/auth/otp/enable', { otp })
  assert.equal((await admin.must('GET', '/api/auth/otp')).is_enabled, true)
}
