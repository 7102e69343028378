import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openBench } from '../../src/areas/mailbox-backup/testing/bench.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
/** A message that would load, run, send and lead elsewhere. */
const newsletterOf = (
  elsewhere: string,
) => `<h1>News</h1><script>document.body.textContent = 'script'</script>
<img src="${elsewhere}/pixel" onerror="document.body.textContent = 'handler'">
<link rel="stylesheet" href="${elsewhere}/style"><meta http-equiv="refresh" content="0;url=${elsewhere}/refresh">
<iframe src="${elsewhere}/frame"></iframe><form action="${elsewhere}/form"><button>Send</button></form>
<a href="${elsewhere}/link" target="_top">More</a>
<a href="${elsewhere}/within">Further</a>`
const views = ['light, desktop', 'dark, phone'] as const

describe('backups of mailboxes in a browser', () => {
  test('are set up, run and read: folders, search, a message and its attachment', async (t) => {
    const bench = await openBench()
    t.after(() => bench.close())
    const { mail } = bench.graph
    const [inbox] = mail.addUser('adele@example.com').folders
    for (let index = 1; index <= 55; index += 1) mail.addMessage(inbox!, `Invoice ${index}`)
    const attachment = { name: 'é report.txt', contentType: 'text/plain', kind: 'fileAttachment' as const }
    const subject = `Subject: =?utf-8?B?${Buffer.from('Newsletter').toString('base64')}?=`
    mail.importMessage(
      inbox!,
      Buffer.from(`${subject}\r\nContent-Type: text/html\r\n\r\n${newsletterOf(bench.graph.url)}`),
    )
    mail.addMessage(inbox!, 'Report', [{ ...attachment, data: Buffer.from('the figures') }])
    mail.addMessage(mail.addUser('bob@example.com').folders[0]!, 'For Bob')
    const web = await serveWithPages(bench.panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const field = (name: string) => page.getByRole('textbox', { name, exact: true })
    const dialog = page.getByRole('dialog').last()
    const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
    await signIn({ baseUrl: web.baseUrl, page }, bench.panel.admin)

    await page.goto(`${web.baseUrl}/settings/mailboxes`)
    await page.getByText('The directory cannot be read').waitFor()
    await page.getByText('No runs yet').waitFor()
    await assertSound(page, 'mailboxes that are not set up', views)
    await field('Directory (tenant) ID').fill('tenant-1')
    await field('Application (client) ID').fill('client-1')
    await page.getByLabel('Client secret').fill('wrong')
    await button('Save the settings').click()
    await page.getByText('The settings were saved.').waitFor()
    await button('Test the sign-in').click()
    await page.getByText('Invalid client secret').first().waitFor()
    await page.getByLabel('Client secret').fill(bench.graph.secret)
    await field('Schedule').fill('')
    await button('Save the settings').click()
    await page.getByText('Next run: not scheduled').waitFor()
    await button('Test the sign-in').click()
    await page.getByText('The directory has 2 users').waitFor()

    await button('Exclude bob@example.com').click()
    await button('Include bob@example.com').waitFor()
    await button('Back up now').click()
    await dialog.getByText('Succeeded').waitFor()
    await inDialog('Close; the job continues').click()
    await page.getByRole('link', { name: 'adele@example.com' }).waitFor()
    await assertSound(page, 'mailboxes', views)
    await button('Show the log').click()
    await dialog.getByText('adele@example.com: 57 messages were new or had changed').waitFor()
    await assertSound(page, 'the log of the runs', views)
    await inDialog('Close').last().click()

    await page.getByRole('link', { name: 'adele@example.com' }).click()
    await page.getByText('57 messages in the backup.').waitFor()
    await button('Invoice 54').waitFor()
    await assertSound(page, 'the messages of a mailbox', views)
    const toldBefore = complaints.length
    await button('Newsletter').click()
    const shown = page.frameLocator('iframe[sandbox]').first()
    const heading = shown.getByRole('heading', { name: 'News' })
    await heading.waitFor()
    await assertSound(page, 'a message of HTML', views)
    await shown.getByRole('link', { name: 'More' }).click()
    await shown.getByRole('button', { name: 'Send' }).click()
    await heading.waitFor()
    assert.match(page.url(), /\/settings\/mailboxes\/adele/)
    await shown.getByRole('link', { name: 'Further' }).click()
    await heading.waitFor({ state: 'detached' }) // the browser says in its place that the address is blocked
    // what the browser has refused is told on its console; the server was asked for none of it
    const toldAfter = complaints.length
    assert.deepEqual(
      bench.graph.requests.filter((each) => !each.includes('/v1.0/')),
      [],
    )
    await inDialog('Close').last().click()
    await button('Page 2').click()
    await button('Invoice 1').click()
    const frame = dialog.locator('iframe')
    const source = async () => (await frame.getAttribute('srcdoc')) ?? ''
    await settles(async () => (await source()).includes('<p>Invoice 1 é</p>'), true)
    await settles(() => frame.getAttribute('sandbox'), '')
    await inDialog('Close').last().click()

    await page.getByLabel('Folder', { exact: true }).selectOption({ label: 'Inbox (57)' })
    await field('Subject or sender').fill('report')
    await button('Search').click()
    await button('Invoice 54').waitFor({ state: 'detached' })
    await button('Report').click()
    await dialog.getByText('body', { exact: true }).waitFor()
    await assertSound(page, 'a message', views)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: /^é report\.txt/ }).click(),
    ])
    assert.equal(saved.suggestedFilename(), 'é report.txt')
    assert.equal(await readFile(await saved.path(), 'utf8'), 'the figures')
    await inDialog('Restore').click()
    await dialog.getByText('At the top of that mailbox').waitFor()
    await assertSound(page, 'where a message is restored to', views)
    await inDialog('Restore').click()
    await dialog.getByText('Succeeded').waitFor()
    await inDialog('Close; the job continues').click()
    await inDialog('Close').last().click()
    const [mbox] = await Promise.all([page.waitForEvent('download'), button('Export as mbox').click()])
    assert.equal(mbox.suggestedFilename(), 'Inbox.mbox')
    assert.match(await readFile(await mbox.path(), 'utf8'), /^From dana@example\.org /)
    await field('Subject or sender').fill('nothing like this')
    await button('Search').click()
    await page.getByText('No messages', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'All mailboxes' }).click()
    await button('Verify now').click()
    await dialog.getByText('Succeeded').waitFor()
    await inDialog('Close; the job continues').click()
    await page.getByText('Incomplete', { exact: true }).waitFor()
    await assertSound(page, 'the backups that were verified', views)
    assert.deepEqual([...complaints.slice(0, toldBefore), ...complaints.slice(toldAfter)], [])
  })
})
