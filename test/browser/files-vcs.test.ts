import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { skip } from '../../src/host/owner/testing/homes.ts'
import { type GitHttp, serveGit } from '../support/git-http.ts'
import { assertSound, openBrowser, openPage, type Visit, type Watched } from './browser.ts'
import { type FilesPanel, openFilesPanel } from './files-panel.ts'
import * as files from './flows/files.ts'
import * as vcs from './flows/files-vcs.ts'
import { signIn } from './flows/sign-in.ts'
import { settles } from './settles.ts'

const built = process.env['HOSTREEVE_ENTRY'] ?? new URL('../../dist/hostreeve.mjs', import.meta.url).pathname
const user = { name: 'ann', password: 'a-very-secret-token' }

describe('version control with a server, in a browser', { skip }, () => {
  let panel: FilesPanel
  let server: GitHttp
  let browser: Browser
  let watched: Watched
  let visit: Visit
  let root = ''
  const git = (...args: readonly string[]) =>
    execFileSync(
      'git',
      ['-c', 'safe.directory=*', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args],
      {
        cwd: root,
        encoding: 'utf8',
      },
    )

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'files-vcs-'))
    git('init', '-q', '-b', 'main', 'work')
    writeFileSync(join(root, 'work/index.html'), '<h1>shop</h1>\n')
    git('-C', 'work', 'add', '.')
    git('-C', 'work', 'commit', '-q', '-m', 'Begin')
    git('clone', '-q', '--bare', 'work', 'private-shop.git')
    server = await serveGit({ root, user })
    panel = await openFilesPanel(`${dirname(built)}/web`)
    browser = await openBrowser()
    watched = await openPage(browser)
    visit = { baseUrl: panel.baseUrl, page: watched.page }
    await signIn(visit, await panel.panel.person({ isAdmin: true })) // only a superuser may reach loopback
  })
  after(async () => {
    await browser?.close()
    await server?.close()
    await panel?.remove()
    rmSync(root, { recursive: true, force: true })
  })

  test('clones what wants a password, and tells how it went', async () => {
    const { page } = visit
    await page.goto(`${panel.baseUrl}/files?username=alice`)
    await vcs.beginClone(visit, `http://127.0.0.1:${server.port}/private-shop.git`)
    await vcs.signInThere(visit, user)
    await assertSound(page, 'cloning with a password')
    await page.getByRole('dialog').getByRole('button', { name: 'Clone', exact: true }).click()
    await page.getByRole('button', { name: 'Push' }).waitFor()
    assert.equal(readFileSync(panel.at('private-shop/index.html'), 'utf8'), '<h1>shop</h1>\n')
  })

  test('commits and pushes: a wrong password is told and kept out, the right one is kept where that is asked for', async () => {
    const { page } = visit
    panel.put('private-shop/index.html', '<h1>sale</h1>\n')
    await page.reload()
    await vcs.commitAll(visit, 'Begin the sale')
    await page.getByText('1 ahead of, 0 behind origin/main').waitFor()
    await vcs.push(visit, { name: user.name, password: 'wrong-wrong-wrong' }, 'Failed')
    const dialog = page.getByRole('dialog', { name: 'Push to a remote' })
    await dialog
      .getByText(/credentials/)
      .first()
      .waitFor()
    assert.ok(!(await dialog.textContent())?.includes('wrong-wrong'))
    await assertSound(page, 'a push that failed')
    await page.keyboard.press('Escape')
    await vcs.push(visit, user, 'Succeeded', true)
    await page.keyboard.press('Escape')
    await page.getByText('Up to date with origin/main').waitFor()
    assert.equal(git('-C', 'private-shop.git', 'log', '-1', '--format=%s', 'main'), 'Begin the sale\n')
    await page.getByRole('tab', { name: 'Remotes' }).click()
    await page.getByText('Signs in as ann with a kept password').waitFor()
    assert.ok(!(await page.content()).includes(user.password))
  })

  test('pulls with what is kept, after somebody else has pushed', async () => {
    git('-C', 'work', 'pull', '-q', '../private-shop.git', 'main')
    writeFileSync(join(root, 'work/theirs.txt'), 'theirs\n')
    git('-C', 'work', 'add', '.')
    git('-C', 'work', 'commit', '-q', '-m', 'Theirs')
    git('-C', 'work', 'push', '-q', '../private-shop.git', 'main')
    await files.pull(visit)
    await visit.page.keyboard.press('Escape')
    assert.equal(readFileSync(panel.at('private-shop/theirs.txt'), 'utf8'), 'theirs\n')
  })

  test('keeps an ssh key for a remote, refuses what is none, and forgets it', async () => {
    const { page } = visit
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'deploy', '-f', join(root, 'key')])
    const key = readFileSync(join(root, 'key'), 'utf8')
    await page.getByRole('button', { name: 'Add a remote' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a remote' })
    await dialog.getByLabel('Name').fill('backup')
    await dialog.getByLabel('Address').fill('git@127.0.0.1:shop.git')
    await vcs.giveKey(visit, 'no key at all')
    await assertSound(page, 'a remote with an ssh key')
    await dialog.getByText('It must begin with -----BEGIN … PRIVATE KEY-----').waitFor()
    await settles(() => dialog.getByRole('button', { name: 'Save' }).isDisabled(), true)
    await vcs.giveKey(visit, key.trimEnd())
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Signs in as git with a kept key').waitFor()
    assert.ok(!(await page.content()).includes(key.split('\n')[1] ?? key))
    await page.getByRole('button', { name: 'Actions for backup' }).click()
    await page.getByRole('menuitem', { name: 'Forget the credentials' }).click()
    await files.confirm(visit, 'Forget it')
    await page.getByText('Signs in as git with a kept key').waitFor({ state: 'detached' })
  })

  test('says that no ssh server listens, with the key and its fingerprint sent along', async () => {
    const { page } = visit
    execFileSync('git', [
      'config',
      '--file',
      panel.at('private-shop/.git/config'),
      'remote.backup.url',
      'ssh://git@127.0.0.1:1/shop.git',
    ])
    await page.reload()
    await page.getByRole('button', { name: 'Push' }).click()
    const dialog = page.getByRole('dialog', { name: 'Push to a remote' })
    await dialog.getByLabel('Remote', { exact: true }).selectOption('backup')
    await dialog.getByLabel('Remote branch').fill('main')
    await vcs.giveKey(visit, readFileSync(join(root, 'key'), 'utf8'))
    await dialog.getByLabel('Fingerprint of the server’s key').fill(`SHA256:${'A'.repeat(43)}`)
    await assertSound(page, 'a push with an ssh key')
    await dialog.getByRole('button', { name: 'Push', exact: true }).click()
    await dialog.getByText('Failed').waitFor()
    await dialog
      .getByText(/127\.0\.0\.1:1.*connection was refused/)
      .first()
      .waitFor()
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
