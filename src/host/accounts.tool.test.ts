import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
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
