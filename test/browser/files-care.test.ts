import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { skip } from '../../src/host/owner/testing/homes.ts'
import { assertSound, type Visit, type Watched } from './browser.ts'
import { type FilesPanel, openFilesPanel, visitFiles } from './files-panel.ts'
import * as files from './flows/files.ts'
import { settles } from './settles.ts'

const built = process.env['HOSTREEVE_ENTRY'] ?? new URL('../../dist/hostreeve.mjs', import.meta.url).pathname
const unreachable = 'The panel cannot be reached. Check the connection and try again.'

describe('the dialogs of the files, which do what they say and nothing after, in a browser', { skip }, () => {
  let panel: FilesPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit
  const open = (path: string, page = 'files') => files.openPath(visit, page, path)
  const dialog = (): Locator => visit.page.getByRole('dialog')
  const hasFocus = (what: Locator) => what.and(visit.page.locator(':focus')).waitFor()
  const chooseAll = async () => {
    await visit.page.getByRole('row').nth(1).focus()
    await visit.page.keyboard.press('Control+a')
  }
  const upload = (...names: readonly string[]) =>
    visit.page
      .getByLabel('Files to upload')
      .setInputFiles(
        names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`new ${name}`) })),
      )

  const withoutConnection = async (work: () => Promise<void>) => {
    await watched.context.setOffline(true)
    await work().finally(() => watched.context.setOffline(false))
  }

  before(async () => {
    panel = await openFilesPanel(`${dirname(built)}/web`)
    for (const name of ['one.txt', 'two.txt', 'three.txt', 'four.txt'])
      panel.put(`care/${name}`, `old ${name}`)
    for (let index = 1; index <= 12; index++) panel.put(`bulk/b${String(index).padStart(2, '0')}`, 'x')
    panel.put('thrown/a.txt', 'a')
    panel.put('thrown/b.txt', 'b')
    panel.put('modes/tool', '#!')
    panel.put('modes/open/deep/note.txt', 'note')
    panel.put('.well-known/acme/token', 't')
    for (const folder of ['outer/inner', 'outer/other']) panel.put(`${folder}/file`, 'f')
    execFileSync('tar', ['-czf', 'care/site.tar.gz', '-C', 'care', 'one.txt'], { cwd: panel.at() })
    panel.put('care/broken.tar.gz', 'no archive at all')
    ;({ browser, watched, visit } = await visitFiles(panel))
  })
  after(async () => {
    await browser?.close()
    await panel?.remove()
  })

  test('says at once that the panel cannot be reached, and carries nothing out later that was cancelled', async () => {
    const { page } = visit
    const sent: string[] = []
    page.on('request', (request) => request.url().endsWith('/delete') && sent.push(request.url()))
    await open('care')
    await files.act(visit, 'one.txt', 'Delete …')
    await dialog().getByLabel('Delete permanently').check()
    await dialog().getByText('This cannot be undone').waitFor()
    const readAgain = page.waitForResponse(
      (answer) => answer.url().includes('/api/filemanager/list') && answer.ok(),
    )
    await withoutConnection(async () => {
      await dialog().getByRole('button', { name: 'Delete permanently' }).click()
      await dialog().getByText(unreachable).waitFor()
      await dialog().getByRole('button', { name: 'Cancel' }).click()
      await dialog().waitFor({ state: 'detached' })
    })
    const tried = sent.length
    await readAgain
    await page.getByRole('link', { name: 'one.txt' }).waitFor()
    assert.deepEqual([sent.length, existsSync(panel.at('care/one.txt'))], [tried, true])
  })

  test('says that the connection is lost where a folder is opened without one, and shows it once it can', async () => {
    const { page } = visit
    await open('')
    await page.getByRole('link', { name: 'outer', exact: true }).waitFor()
    await withoutConnection(async () => {
      await page.getByRole('grid').getByRole('link', { name: 'outer', exact: true }).click()
      await page.getByText('Connection lost').waitFor()
    })
    await page.getByRole('grid').getByRole('link', { name: 'inner', exact: true }).waitFor()
  })

  test('stops a change that is on its way where it is cancelled, and says so', async () => {
    const { page } = visit
    await open('care')
    await files.act(visit, 'two.txt', 'Delete …')
    await dialog()
      .getByText(/Move care\/two\.txt .*to the trash/)
      .waitFor()
    await page.route(/\/api\/filemanager\/delete$/, () => undefined)
    const broken = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/delete'))
    await dialog().getByRole('button', { name: 'Move to the trash' }).click()
    await dialog().getByText('Cancel stops it.').waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await broken
    await page.getByText('Stopped: Delete two.txt.').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    assert.ok(existsSync(panel.at('care/two.txt')))
  })

  test('says after a deletion that failed what may have happened, and goes on with what is still there', async () => {
    const { page } = visit
    await open('bulk')
    await chooseAll()
    await page.keyboard.press('Delete')
    await dialog().getByText('Throw away 12 paths').waitFor()
    for (const gone of ['b03', 'b07']) rmSync(panel.at(`bulk/${gone}`))
    await dialog().getByRole('button', { name: 'Move to the trash' }).click()
    await dialog().getByText('b03 does not exist').waitFor()
    await dialog()
      .getByText(/Not there any more: \d+ of 12/)
      .waitFor()
    await settles(() => dialog().getByText('Nothing was changed.').count(), 0)
    await page.getByRole('grid').getByRole('link', { name: 'b03' }).waitFor({ state: 'detached' })
    await assertSound(page, 'a deletion that failed')
    await files.confirm(visit, 'Move to the trash')
    await page.getByText('This folder is empty').waitFor()
  })

  test('shows before an archive is extracted which files it replaces, and refuses a broken one there', async () => {
    const { page } = visit
    await open('care')
    await files.act(visit, 'site.tar.gz', 'Extract …')
    await dialog()
      .getByText(/Replaces 1 file: .*one\.txt/)
      .waitFor()
    await assertSound(page, 'what an archive replaces')
    await page.keyboard.press('Escape')
    await files.act(visit, 'broken.tar.gz', 'Extract …')
    await dialog()
      .getByRole('alert')
      .getByText(/broken\.tar\.gz/)
      .waitFor()
    await settles(() => dialog().getByRole('button', { name: 'Extract', exact: true }).isDisabled(), true)
    await page.keyboard.press('Escape')
  })

  test('leaves the keyboard on what was chosen in a dialog, and its branches open', async () => {
    const { page } = visit
    await open('care')
    await files.act(visit, 'one.txt', 'Delete …')
    await dialog().getByLabel('Delete permanently').press('Space')
    await dialog().getByText('This cannot be undone').waitFor()
    await hasFocus(dialog().getByLabel('Delete permanently'))
    await page.keyboard.press('Escape')
    await files.act(visit, 'site.tar.gz', 'Extract …')
    await dialog().getByLabel('Into another folder').press('Space')
    const tree = dialog().getByRole('tree')
    await tree.getByRole('treeitem', { name: 'outer' }).locator('[data-twist]').click()
    await tree.getByRole('treeitem', { name: 'inner' }).waitFor()
    await tree.getByRole('treeitem', { name: 'thrown' }).click()
    await dialog().getByText('Chosen: thrown').waitFor()
    await dialog().getByText('Makes 1 file').waitFor()
    await tree.getByRole('treeitem', { name: 'inner' }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('takes one answer for all clashes of an upload, and asks again in the next', async () => {
    const { page } = visit
    await open('care')
    await upload('one.txt', 'two.txt', 'three.txt')
    const forAll = dialog().getByLabel('Apply to all conflicts')
    await forAll.check()
    await dialog().getByRole('button', { name: 'Replace' }).click()
    await page.getByText('Uploads complete').waitFor()
    await dialog().waitFor({ state: 'detached' })
    assert.equal(readFileSync(panel.at('care/three.txt'), 'utf8'), 'new three.txt')
    await upload('four.txt')
    await settles(() => forAll.isChecked(), false)
    await dialog().getByRole('button', { name: 'Skip', exact: true }).click()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
  })

  test('shows the mode of a setuid program as it is, and says what setting one does to it', async () => {
    const { page } = visit
    chmodSync(panel.at('modes/tool'), 0o4755)
    await open('modes')
    await files.act(visit, 'tool', 'Permissions …')
    await settles(() => dialog().getByLabel('Octal').inputValue(), '755')
    await dialog().getByText('It is setuid now (4755).').waitFor()
    await assertSound(page, 'the permissions of a setuid program')
    await page.keyboard.press('Escape')
    await files.act(visit, 'open', 'Permissions …')
    await dialog().getByLabel('Octal').fill('777')
    await dialog().getByLabel('Sticky').check()
    await dialog().getByRole('button', { name: 'Set the permissions' }).click()
    await page.getByText('open now has the mode 1777.').first().waitFor()
    assert.equal(statSync(panel.at('modes/open')).mode & 0o7777, 0o1777)
  })

  test('shows what a mode for everything in a folder would do before it does it', async () => {
    const { page } = visit
    const modeOf = (path: string) => statSync(panel.at(path)).mode & 0o777
    const former = modeOf('modes/open/deep/note.txt')
    await open('modes')
    await files.act(visit, 'open', 'Permissions …')
    await dialog().getByLabel('Octal').fill('700')
    await dialog().getByLabel('Including its contents').check()
    await dialog().getByRole('button', { name: 'Review changes' }).click()
    await dialog().getByText('the former modes are not kept').waitFor()
    await dialog()
      .getByText(/modes\/open .*the mode 700, with everything in it$/)
      .waitFor()
    await assertSound(page, 'the plan of a mode')
    assert.equal(modeOf('modes/open/deep/note.txt'), former)
    await dialog().getByRole('button', { name: 'Set the permissions' }).click()
    await page.getByText('open now has the mode 700.').first().waitFor()
    assert.equal(modeOf('modes/open/deep/note.txt'), 0o700)
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
