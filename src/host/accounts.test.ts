import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '../core/problem.ts'
import { checkUsername, openAccounts } from './accounts.ts'
import { openFiles } from './files.ts'
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

test('names the full disk that useradd meets', async () => {
  const { run } = scriptedRun(scriptAccounts(new Map()))
  const full = 'useradd: /etc/passwd.7: No space left on device\n'
  const onFullDisk: typeof run = async (argv, options) =>
    argv[0] === 'useradd'
      ? { code: 1, stdout: '', stderr: full, isCut: false, durationMs: 0 }
      : run(argv, options)
  await assert.rejects(
    openAccounts(onFullDisk, openFiles('/nowhere')).create('ann'),
    ({ kind, message }: Problem) =>
      kind.code === 'insufficient_storage' && message.includes('No space left on device'),
  )
})
