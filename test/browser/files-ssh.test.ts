import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { skip as noRoot } from '../../src/host/owner/testing/homes.ts'
import { assertSound, openBrowser, openPage, type Visit, type Watched } from './browser.ts'
import { type FilesPanel, openFilesPanel } from './files-panel.ts'
import * as files from './flows/files.ts'
import * as vcs from './flows/files-vcs.ts'
import { signIn } from './flows/sign-in.ts'
import { openSshDoor, type SshDoor } from './ssh-door.ts'

const built = process.env['HOSTREEVE_ENTRY'] ?? new URL('../../dist/hostreeve.mjs', import.meta.url).pathname
const skip = noRoot || (existsSync('/usr/sbin/sshd') ? false : 'needs openssh-server')

describe('version control over ssh with a real sshd, in a browser', { skip }, () => {
  let panel: FilesPanel
  let server: SshDoor
  let browser: Browser
  let watched: Watched
  let visit: Visit
  const clone = async (folder: string, fingerprint = '') => {
    await visit.page.goto(`${panel.baseUrl}/files?username=alice`)
    await vcs.beginClone(visit, server.url)
    const dialog = visit.page.getByRole('dialog')
    await dialog.getByLabel('Folder').fill(folder)
    await vcs.giveKey(visit, server.privateKey)
    await dialog.getByLabel('Fingerprint of the server’s key').fill(fingerprint)
    await dialog.getByLabel('Store it, encrypted, for this remote').check()
    await dialog.getByRole('button', { name: 'Clone', exact: true }).click()
  }
  const transfer = async (verb: 'Push' | 'Pull', end: 'Succeeded' | 'Failed') => {
    await visit.page.getByRole('button', { name: verb }).click()
    const dialog = visit.page.getByRole('dialog')
    await dialog.getByRole('button', { name: verb, exact: true }).click()
    await dialog.getByText(end, { exact: true }).waitFor()
    return dialog
  }

  before(async () => {
    server = await openSshDoor()
    panel = await openFilesPanel(`${dirname(built)}/web`)
    browser = await openBrowser()
    watched = await openPage(browser)
    visit = { baseUrl: panel.baseUrl, page: watched.page }
    await signIn(visit, await panel.panel.person({ isAdmin: true })) // only a superuser may reach loopback
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    await panel?.remove()
  })

  test('refuses a server whose key is not the one that was expected, and leaves nothing', async () => {
    await clone('shop', `SHA256:${'A'.repeat(43)}`)
    const dialog = visit.page.getByRole('dialog')
    await dialog.getByText('Failed', { exact: true }).waitFor()
    await dialog.getByText(server.fingerprint()).first().waitFor()
    await assertSound(visit.page, 'a server with another key')
    assert.ok(!existsSync(panel.at('shop')))
  })

  test('clones with a key, keeps it where that is asked for, and tells the key of the server', async () => {
    const { page } = visit
    await clone('shop', server.fingerprint())
    await page.getByRole('button', { name: 'Push' }).waitFor()
    assert.equal(readFileSync(panel.at('shop/index.html'), 'utf8'), '<h1>shop</h1>\n')
    await page.getByRole('tab', { name: 'Remotes' }).click()
    await page.getByText('with a kept key').waitFor()
    await page.getByText(server.fingerprint()).waitFor()
    assert.ok(!(await page.content()).includes(server.privateKey.split('\n')[1] ?? ''))
  })

  test('commits and pushes, and pulls what somebody else has pushed, with the kept key', async () => {
    const { page } = visit
    panel.put('shop/index.html', '<h1>sale</h1>\n')
    await page.reload()
    await vcs.commitAll(visit, 'Begin the sale')
    await transfer('Push', 'Succeeded')
    await page.keyboard.press('Escape')
    await page.getByText('Up to date with origin/main').waitFor()
    assert.equal(server.git('-C', 'shop.git', 'log', '-1', '--format=%s', 'main'), 'Begin the sale\n')
    server.git('-C', 'work', 'pull', '-q', '../shop.git', 'main')
    writeFileSync(join(server.root, 'work/theirs.txt'), 'theirs\n')
    server.git('-C', 'work', 'add', '.')
    server.git('-C', 'work', 'commit', '-q', '-m', 'Theirs')
    server.git('-C', 'work', 'push', '-q', '../shop.git', 'main')
    await transfer('Pull', 'Succeeded')
    await page.keyboard.press('Escape')
    assert.equal(readFileSync(panel.at('shop/theirs.txt'), 'utf8'), 'theirs\n')
  })

  test('stops where the key of the server has changed, and goes on once that key was forgotten', async () => {
    const { page } = visit
    await server.changeKey()
    const dialog = await transfer('Pull', 'Failed')
    await dialog.getByText(server.fingerprint()).first().waitFor()
    await assertSound(page, 'a server whose key has changed')
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Remotes' }).click()
    await page.getByRole('button', { name: 'Actions for origin' }).click()
    await page.getByRole('menuitem', { name: 'Forget the server’s key' }).click()
    await files.confirm(visit, 'Forget it')
    await transfer('Pull', 'Succeeded')
    await page.keyboard.press('Escape')
    await page.getByText(server.fingerprint()).waitFor()
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
