import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { aliceUid } from '../../src/areas/filemanager/testing/files-bench.ts'
import { skip } from '../../src/host/owner/testing/homes.ts'
import { assertSound, type Visit, type Watched } from './browser.ts'
import { type FilesPanel, openFilesPanel, visitFiles } from './files-panel.ts'
import * as files from './flows/files.ts'

const built = process.env['HOSTREEVE_ENTRY'] ?? new URL('../../dist/hostreeve.mjs', import.meta.url).pathname
const largeBytes = 1024 ** 3

describe('jobs on files, in a browser', { skip }, () => {
  let panel: FilesPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit
  const open = (path: string) => files.openPath(visit, 'files', path)
  const rowOf = (text: string | RegExp) =>
    visit.page.getByRole('region', { name: 'Transfers' }).getByRole('listitem').filter({ hasText: text })

  before(async () => {
    panel = await openFilesPanel(`${dirname(built)}/web`)
    panel.put('noise/noise.bin', randomBytes(32 * 1024 * 1024))
    panel.put('work/large/large.bin', Buffer.alloc(largeBytes, 'x'))
    execFileSync('chown', ['-R', `${aliceUid}:${aliceUid}`, panel.at('work')])
    ;({ browser, watched, visit } = await visitFiles(panel))
  })
  after(async () => {
    await browser?.close()
    await panel?.remove()
  })

  test('shows a job again after the page was loaded again, and the archive comes where it was asked for', async () => {
    const { page } = visit
    await open('noise')
    await files.pack(visit, 'noise.bin', '.tar.xz')
    await rowOf('noise.tar.xz')
      .getByText(/Compressing \d+ %/)
      .waitFor()
    await page.reload()
    await rowOf('noise.tar.xz')
      .getByText(/Compressing \d+ %/)
      .waitFor()
    await assertSound(page, 'a job that was found again')
    // it is compressed in what other programs leave of the processor
    await page.getByText('noise.tar.xz was created.').first().waitFor({ timeout: 600_000 })
    await page.getByRole('link', { name: 'noise.tar.xz' }).waitFor()
    assert.deepEqual(readdirSync(panel.at('noise')), ['noise.bin', 'noise.tar.xz'])
  })

  test('shows the steps of work in the jobs page of another tab, and cancels it after a confirmation', async () => {
    await open('work/large')
    await files.pack(visit, 'large.bin', '.tar.xz')
    const tab = await watched.context.newPage()
    await tab.goto(`${visit.baseUrl}/jobs`)
    await tab.getByRole('link', { name: /large/ }).first().click()
    const step = tab.getByRole('list', { name: 'Steps' }).getByRole('listitem').first()
    await step.getByText('Running').waitFor()
    await tab.reload()
    await step.getByText('Running').waitFor()
    await tab.getByRole('button', { name: 'Cancel the job …' }).click()
    await assertSound(tab, 'the confirmation of a cancellation')
    await tab.getByRole('button', { name: 'Cancel the job', exact: true }).click()
    await step.getByText('Undone').waitFor()
    await tab.getByText('Cancelled').first().waitFor()
    await tab.close()
    await visit.page.bringToFront()
    await rowOf('large.tar.xz').waitFor({ state: 'detached' })
    assert.deepEqual(readdirSync(panel.at('work/large')), ['large.bin'])
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
