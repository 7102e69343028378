import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { countClicks } from '../browser/browser.ts'
import { signIn } from '../browser/flows/sign-in.ts'
import { bootHost, type Host, type Panel, startPanel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { assertPublished, installWordPress, openWordPress, publishPost } from './story/newcomer.ts'
import { PanelWindow } from './story/panel-window.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'

const domain = 'letters.example.com'
/** Of a newcomer, from the sign-in to a published post. */
const mostClicks = 12

describe('a first WordPress', () => {
  let host: Host
  let panel: Panel
  let ada: Owner
  let window: PanelWindow
  before(async () => {
    host = await bootHost('firstwp', { image: 'phpPools' })
    panel = await startPanel(host)
    const admin = await SignedIn.as(panel)
    await admin.installNginx()
    await admin.must('POST', '/api/sqldb/install')
    ada = await admin.makeOwner('ada')
    window = await PanelWindow.open(panel)
    await signIn(window, ada)
  })
  after(async () => {
    await window?.close()
    await host?.remove()
  })

  it('is installed, and has a post with a picture that visitors see, in at most twelve clicks', async () => {
    const inPanel = await countClicks(window.page)
    const tab = await openWordPress(window, await installWordPress(window, domain, 'Letters'))
    const inWordPress = await countClicks(tab)
    await publishPost(tab, 'Hello from a newcomer')
    await assertPublished(host, domain, 'Hello from a newcomer')
    const made = (await inPanel()) + (await inWordPress())
    assert.ok(made > 10 && made <= mostClicks, `${made} clicks`)
  })

  it('is installed and written by the commands of the guide', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/first-wordpress.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /http:\/\/first\.example\.com\/wp-login\.php/)
    assert.match(output, /Hello from Ada/)
    assert.match((await visit(host, 'first.example.com')).text, /Hello from Ada/)
  })
})
