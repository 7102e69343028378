import assert from 'node:assert/strict'
import { chown, lchown, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { openRealAccounts } from './testing/real-accounts.ts'

test('creates a real account whose home the web server can traverse and others cannot', async (context) => {
  const opened = await openRealAccounts(context)
  if (opened === undefined) return
  const {
    host: { accounts },
    root,
  } = opened
  const account = await accounts.create('ann')
  assert.ok(account.uid >= 1000)
  assert.deepEqual([account.home, account.shell], ['/home/ann', '/bin/bash'])
  const home = await stat(join(root, 'home/ann'))
  assert.deepEqual([home.mode & 0o7777, home.uid, home.gid], [0o710, account.uid, 33])
  assert.deepEqual(await accounts.find('ann'), account)
  await assert.rejects(accounts.create('ann'), /ann is taken/)
  await accounts.remove('ann', { keepHome: false })
  assert.equal(await accounts.find('ann'), undefined)
  await assert.rejects(stat(join(root, 'home/ann')), { code: 'ENOENT' })
})

test('closes a kept home, and refuses it to the next account of that name', async (context) => {
  const opened = await openRealAccounts(context)
  if (opened === undefined) return
  const {
    host: { accounts },
    root,
  } = opened
  await accounts.create('bob', { canSignIn: false })
  await accounts.remove('bob', { keepHome: true })
  const home = await stat(join(root, 'home/bob'))
  assert.deepEqual([home.mode & 0o7777, home.uid, home.gid], [0o700, 0, 0])
  await assert.rejects(accounts.create('bob'), /\/home\/bob exists already/)
})

test('removes what an account owns in the folders of all, and nothing of others', async (context) => {
  const opened = await openRealAccounts(context)
  if (opened === undefined) return
  const { host, root } = opened
  const { uid } = await host.accounts.create('ann', { uid: 4321 })
  const write = async (path: string, owner: number, mode: number) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), '', { mode })
    await chown(join(root, path), owner, owner)
  }
  await write('tmp/shared/of-another', 4322, 0o600)
  await chown(join(root, 'tmp/shared'), uid, uid)
  await symlink('shared', join(root, 'tmp/link'))
  await lchown(join(root, 'tmp/link'), uid, uid)
  for (const path of ['var/tmp/own/shell', 'tmp/-delete', 'var/spool/cron/crontabs/ann', 'tmp/shared/own'])
    await write(path, uid, 0o4755)
  await chown(join(root, 'var/tmp/own'), uid, uid)
  await write('var/lib/systemd/linger/ann', 0, 0o644)
  await host.accounts.remove('ann', { keepHome: false })
  const left = await readdir(root, { recursive: true })
  assert.deepEqual(left.filter((path) => /^(tmp|var\/(tmp|spool|lib))\//.test(path)).sort(), [
    'tmp/shared',
    'tmp/shared/of-another',
    'var/lib/systemd',
    'var/lib/systemd/linger',
    'var/spool/cron',
    'var/spool/cron/crontabs',
  ])
})
