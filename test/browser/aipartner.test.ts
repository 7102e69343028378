import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import {
  answerUsually,
  say,
  secret,
  type StandInPartner,
  startPartner,
} from '../../src/areas/aipartner/testing/partner.ts'
import { assertSound, openBrowser, openPage, type Visit } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { admin, type RunningPanel, startPanel } from './panel.ts'
import { settles } from './settles.ts'

describe('the AI partner in a browser', () => {
  let partner: StandInPartner
  let panel: RunningPanel
  let browser: Browser
  let visit: Visit

  before(async () => {
    partner = await startPartner()
    panel = await startPanel(process.env['HOSTREEVE_ENTRY'], {
      HOSTREEVE_PARTNER_API_URL: partner.url,
      HOSTREEVE_PARTNER_SECRET: secret,
    })
    browser = await openBrowser()
    visit = { baseUrl: panel.baseUrl, page: (await openPage(browser)).page }
    await signIn(visit, admin)
  })
  after(async () => {
    await browser?.close()
    await panel?.stop()
    await partner?.close()
  })

  const button = (name: string) => visit.page.getByRole('button', { name, exact: true })
  const dialog = () => visit.page.getByRole('dialog')
  const chat = () => visit.page.getByRole('log', { name: 'Chat' })
  const write = async (text: string) => {
    await visit.page.getByLabel('Message').fill(text)
    await visit.page.keyboard.press('Enter')
  }

  test('activates the trial through its plan', async () => {
    const { page, baseUrl } = visit
    await page.goto(`${baseUrl}/aipartner`)
    await page.getByText('The trial is not activated').waitFor()
    await assertSound(page, 'not activated')
    await button('Activate the trial').click()
    await dialog().getByText('digest of its licence').first().waitFor()
    await dialog().getByRole('button', { name: 'Activate', exact: true }).click()
    await page.getByText(/The trial ends in \d+ days/).waitFor()
  })

  test('chats, and shows the chat again after the page was loaded again', async () => {
    const { page } = visit
    await page.getByText('Connected.').waitFor()
    await write('How do I renew <b>this</b> certificate?')
    await chat().getByText('You said: How do I renew <b>this</b> certificate?').waitFor()
    await assertSound(page, 'chat')
    await page.reload()
    await page.getByText('Connected.').waitFor()
    await chat().getByText('You said: How do I renew <b>this</b> certificate?').waitFor()
  })

  test('goes on after the partner was cut', async () => {
    for (const each of partner.chats) each.terminate()
    await chat().getByText('The connection to the AI partner was lost').waitFor()
    await write('again')
    await chat().getByText('You said: again').waitFor()
  })

  test('clears the chat', async () => {
    const { page } = visit
    await button('Clear the chat').click()
    await dialog().getByRole('button', { name: 'Clear', exact: true }).click()
    await chat().getByText('You said: again').waitFor({ state: 'detached' })
    await page.getByText('Connected.').waitFor()
    await write('a fresh start')
    await chat().getByText('You said: a fresh start').waitFor()
  })

  test('connects, configures and removes a bot, and shows the gateway', async () => {
    const { page } = visit
    await page.getByRole('link', { name: 'Gateway and bot' }).click()
    await page.getByText('The gateway is not installed').waitFor()
    await button('Connect a bot').click()
    await dialog().getByLabel('Token of the bot').fill('1234567:token-of-the-bot')
    await button('Review changes').click()
    await button('Save').click()
    await page.getByText('hostreeve_bot').waitFor()
    await assertSound(page, 'gateway and bot')
    await button('Remove the bot').click()
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No bot is connected').waitFor()
  })

  test('shows that the trial was blocked, and sends nothing more', async () => {
    const { page } = visit
    partner.onMessage = (each) => say(each, { type: 'blocked', text: 'The trial was misused' })
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await page.getByText('Connected.').waitFor()
    await write('something')
    await page.getByText('The AI partner has blocked the trial', { exact: true }).waitFor()
    await settles(() => button('Send').isDisabled(), true)
    partner.onMessage = answerUsually
    await page.reload()
    await page.getByText('The trial is blocked').waitFor()
    await assertSound(page, 'blocked')
  })
})
