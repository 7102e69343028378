import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { placeExim, scriptExim, standInExim } from '../../src/tools/exim/testing/stand-in.ts'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('the mail relay in a browser', () => {
  test('is installed, set, tested and watched', async (t) => {
    const exim = standInExim()
    exim.isInstalled = false
    const panel = await openTestPanel({ scripts: [scriptExim(exim, () => panel.root)] })
    t.after(() => panel.close())
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
    await page.goto(`${web.baseUrl}/settings`)
    const tabs = page.getByRole('navigation', { name: 'Pages of the settings' })
    await tabs.getByRole('link', { name: 'Mail relay' }).click()
    await page.getByRole('button', { name: 'Install Exim' }).waitFor()
    exim.isInstalled = true
    placeExim(panel.root)
    exim.queue = {
      total: 1,
      text: ' 4m   617 1vNCn2-00001Y-0A <> *** frozen ***\n          root@web1.example.com\n\n',
    }
    await page.reload()
    await page.getByText('Mail to other hosts is refused').waitFor()
    const field = (name: string) => page.getByRole('textbox', { name, exact: true })
    await field('Relay').fill('mail.example.com:587')
    await page.getByRole('button', { name: 'Save the relay' }).click()
    await page.getByText('must be host::port such as mail.example.com::587').waitFor()
    await field('Relay').fill('mail.example.com::587')
    await field('User at the relay').fill('panel')
    await page.getByLabel('Password at the relay').fill('correct horse')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText("+dc_smarthost='mail.example.com::587'").waitFor()
    await settles(() => page.getByText('correct horse').count(), 0)
    await page.getByRole('button', { name: 'Save the relay' }).click()
    await page.getByText('Mail is sent through the relay.').waitFor()
    assert.equal(await panel.host.files.read('/etc/exim4/passwd.client'), '*:panel:correct horse\n')
    await page.evaluate('scrollTo(0, 0)')
    await assertSound(page, 'the mail relay', ['light, desktop'])

    await field('Relay').fill('other.example.com::587')
    await page.getByRole('button', { name: 'Save the relay' }).click()
    await page.getByText('enter it again').waitFor()

    await field('Send a test message to').fill('ada@example.com')
    await page.getByRole('button', { name: 'Send a test message' }).click()
    await page.getByText('The message was delivered').waitFor()
    exim.fate = '** ada@example.com R=smarthost: 550 no such user'
    await page.getByRole('button', { name: 'Send a test message' }).click()
    await page.getByText('550 no such user').waitFor()
    await page.getByRole('table', { name: 'Queue' }).getByText('Frozen').waitFor()
    await assertSound(page, 'mail', ['light, desktop', 'dark, phone'])
    assert.deepEqual(
      complaints.filter((each) => !/400|502/.test(each)), // the refused relay and message
      [],
    )
  })
})
