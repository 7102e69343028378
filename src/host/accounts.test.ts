import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Problem } from '../core/problem.ts'
import { checkUsername, openAccounts } from './accounts.ts'
import { openFiles } from './files.ts'
import { openRealAccounts } from './testing/real-accounts.ts'
import { scriptAccounts } from './testing/scripted-host.ts'
import { scriptedRun } from './testing/scripted-run.ts'

for (const name of [
  'root',
  'www-data',
  'nobody',
  'mysql',
  'Ann',
  '1a',
  '-a',
  'a b',
  'a:b',
  'a\n',
  'ünal',
  '',
  'a'.repeat(33),
  'a$',
]) {
  test(`refuses the user name ${JSON.stringify(name)}`, () => {
    assert.throws(
      () => checkUsername(name),
      (error: Problem) => error.kind.code === 'bad_request',
    )
  })
}

test('refuses a name that the host knows already, and never removes an account of the system', async () => {
  const known = new Map([
    ['ann', { uid: 1000 }],
    ['backup2', { uid: 34 }],
  ])
  const accounts = openAccounts(scriptedRun(scriptAccounts(known)).run, openFiles('/nowhere'))
  await assert.rejects(accounts.create('ann'), /ann is taken/)
  await assert.rejects(accounts.remove('backup2', { keepHome: true }), /account of the system/)
  assert.equal(await accounts.find('-x'), undefined)
  assert.equal(known.size, 2)
})

test('makes a real account whose home the web server passes and others do not', async (context) => {
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
