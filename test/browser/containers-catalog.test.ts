import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scriptIptables, standInFilter } from '../../src/tools/docker/testing/stand-in-filter.ts'
import { standInEngine } from '../../src/tools/docker/testing/stand-in-engine.ts'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, assertSoundOnAllScreens, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('the catalog of containers in a browser', () => {
  test('is searched, launches apps and stacks, and what they leave is cleaned up', async (t) => {
    const engine = standInEngine()
    engine.images.set('old:1', {})
    for (const image of ['redis:7.4.3-alpine', 'nginx:1.27.5-alpine', 'busybox:1']) engine.registry.add(image)
    const panel = await openTestPanel({
      docker: { connection: engine.connection },
      scripts: [
        ([program]) => (program === 'dockerd' ? { stdout: 'Docker version 20.10.24\n' } : undefined),
        scriptIptables(standInFilter()),
      ],
    })
    t.after(() => panel.close())
    await panel.start()
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const inDialog = (name: string) =>
      page.getByRole('dialog').last().getByRole('button', { name, exact: true })
    const statusOf = (name: string) =>
      [...engine.containers.values()].find((each) => each.name === name)?.status

    // an app: search, the ports and who can reach them, the password once
    await page.goto(`${web.baseUrl}/containers/catalog`)
    await page.getByRole('button', { name: 'Launch nginx', exact: true }).waitFor()
    await assertSound(page, 'catalog', ['light, desktop', 'dark, phone'])
    await page.getByRole('radiogroup', { name: 'Category' }).getByText('Databases').click()
    await settles(() => page.getByRole('button', { name: 'Launch nginx', exact: true }).count(), 0)
    await page.getByRole('searchbox', { name: 'Search the catalog' }).fill('redis')
    await press('Launch Redis')
    const openings = page.getByRole('region', { name: 'Ports and who can reach them' })
    await openings.getByText('127.0.0.1:6380 → 6379/tcp (this host only)').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('cache')
    await page.getByRole('combobox', { name: 'Published ports' }).fill('7000:6379')
    await page.keyboard.press('Enter')
    await openings.getByText('7000 → 6379/tcp (anyone)').waitFor()
    await assertSound(page, 'launch of an app', ['light, desktop', 'dark, phone'])
    await inDialog('Review changes').click()
    await page.getByText('Opens port 7000/tcp to everyone who reaches this host').waitFor()
    await inDialog('Launch').click()
    await page.getByText('cache: REDISCLI_AUTH=').waitFor()
    await assertSound(page, 'passwords of an app', ['light, desktop', 'dark, phone'])
    await inDialog('Copy').click()
    await inDialog('Done').click()
    assert.equal(statusOf('cache'), 'running')

    // a name that is taken is refused at the review
    await press('Launch Redis')
    await page.getByRole('textbox', { name: 'Name' }).fill('cache')
    await inDialog('Review changes').click()
    await page.getByText('A container cache exists already; choose another name').waitFor()
    await inDialog('Cancel').click()

    // a stack, by keyboard
    await page.getByRole('searchbox', { name: 'Search the catalog' }).fill('redis replica')
    const stack = page.getByRole('button', { name: /^Launch .* as a stack$/ })
    await settles(() => stack.count(), 1)
    await stack.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('pair')
    await page.keyboard.press('Enter')
    await inDialog('Launch').click()
    await page.getByText('pair-replica: REDISCLI_AUTH=').waitFor()
    await inDialog('Copy').click()
    await inDialog('Done').click()
    await page.getByRole('link', { name: 'Stacks', exact: true }).click()
    await page.getByRole('link', { name: 'pair-replica' }).waitFor()
    await assertSoundOnAllScreens(page, 'stacks')
    await press('Stop pair')
    await settles(async () => statusOf('pair-primary'), 'exited')
    await press('Start pair')
    await settles(async () => statusOf('pair-replica'), 'running')
    await press('Upgrade pair')
    await page.getByRole('textbox', { name: 'Image of replica' }).fill('redis:8')
    await assertSound(page, 'upgrade of a stack', ['light, desktop', 'dark, phone'])
    await inDialog('Review changes').click()
    await page.getByText('Pull the image redis:8').waitFor()
    await inDialog('Cancel').click()
    await inDialog('Cancel').click()
    await press('Remove pair')
    await page.getByRole('switch', { name: 'Remove its volumes too' }).check()
    await page.getByText('Remove the volume pair-primary').waitFor()
    await inDialog('Remove').click()
    await page.getByText('No stacks yet').waitFor()
    assert.deepEqual([engine.networks.size, engine.volumes.has('pair-primary')], [0, false])

    // images: pull, refusal that names the user, removal, clean-up
    await page.getByRole('link', { name: 'Images', exact: true }).click()
    await page.getByRole('link', { name: 'cache', exact: true }).waitFor()
    await assertSoundOnAllScreens(page, 'images')
    await press('Pull an image')
    await page.getByRole('textbox', { name: 'Image' }).fill('busybox:1')
    await inDialog('Pull').click()
    await page.getByRole('dialog').getByText('Succeeded').waitFor()
    await page.getByRole('button', { name: /^Close; the job continues/ }).click()
    await press('Remove redis:7.4.3-alpine')
    await page.getByRole('dialog').getByText('is used by the container cache: remove it first').waitFor()
    await inDialog('Cancel').click()
    await press('Remove busybox:1')
    await inDialog('Remove').click()
    await settles(async () => engine.images.has('busybox:1'), false)
    await press('Clean up')
    await page.getByRole('combobox', { name: 'Images' }).selectOption('unused')
    await inDialog('Review changes').click()
    await page.getByText('Frees 1000 bytes').waitFor()
    await page.getByText('image old:1').waitFor()
    await assertSound(page, 'clean-up', ['light, desktop', 'dark, phone'])
    await inDialog('Remove them').click()
    await settles(async () => engine.images.has('old:1'), false)
    assert.deepEqual(complaints, [])
  })
})
