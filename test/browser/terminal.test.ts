import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertSound, openBrowser, openPage, type Visit } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { admin, type RunningPanel, startPanel } from './panel.ts'
import { settles } from './settles.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root'

describe('terminals in a browser', { skip }, () => {
  let panel: RunningPanel
  let browser: Browser
  let visit: Visit

  before(async () => {
    panel = await startPanel(process.env['HOSTREEVE_ENTRY'])
    browser = await openBrowser()
    visit = { baseUrl: panel.baseUrl, page: (await openPage(browser)).page }
    await signIn(visit, admin)
    await visit.page.goto(`${panel.baseUrl}/terminal`)
  })
  after(async () => {
    await browser?.close()
    await panel?.stop()
  })

  /** Waits until the terminal that is shown contains a line. */
  const shows = (line: string) =>
    visit.page.locator('.xterm-rows:visible > div').filter({ hasText: line }).last().waitFor()
  const run = async (command: string) => {
    await visit.page
      .getByRole('textbox', { name: /^Terminal / })
      .filter({ visible: true })
      .focus()
    await visit.page.keyboard.type(`${command}\n`)
  }

  test('opens a shell of an account, types in it, and finds its output', async () => {
    const { page } = visit
    await page.getByLabel('Linux account').fill('root')
    await page.getByRole('button', { name: 'Open a terminal' }).click()
    await page.getByText('Connected.').waitFor()
    await run('echo shell-of-$(id -un)')
    await shows('shell-of-root')
    await page.getByLabel('Find in the terminal').fill('nowhere to be found')
    await page.keyboard.press('Enter')
    await page.getByText('is not in the terminal.').first().waitFor()
    await assertSound(page, 'terminal', ['light, desktop', 'dark, phone'])
  })

  test('shows the terminal again after the page was loaded again', async () => {
    const { page } = visit
    await run('marker=kept-$((40 + 2)); clear')
    await page.reload()
    await page.getByText('Connected.').waitFor()
    await run('echo $marker')
    await shows('kept-42')
  })

  test('has a second terminal in a tab, which F6 leaves and Close ends', async () => {
    const { page } = visit
    await page.getByRole('button', { name: 'Open a terminal' }).click()
    await page.getByRole('tab', { name: 'root 2', selected: true }).waitFor()
    await page.getByText('Connected.').filter({ visible: true }).waitFor()
    await run('echo second-$marker-end')
    await shows('second--end')
    await page.keyboard.press('F6')
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'root 2' }).waitFor({ state: 'detached' })
    await settles(() => page.getByRole('tab').count(), 1)
    await run('exit 3')
    await page.getByText('The shell has ended with exit status 3.').waitFor()
  })
})
