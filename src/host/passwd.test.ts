import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openAccounts } from './accounts.ts'
import { openFiles } from './files.ts'
import { findInPasswd } from './passwd.ts'
import { scriptAccounts } from './testing/scripted-host.ts'
import { scriptedRun } from './testing/scripted-run.ts'

const ann = {
  username: 'ann',
  uid: 1000,
  gid: 1001,
  comment: 'Ann, of A',
  home: '/home/ann',
  shell: '/bin/bash',
}
const passwd =
  'root:x:0:0:root:/root:/bin/bash\nann:x:1000:1001:Ann, of A:/home/ann:/bin/bash\nann:x:7:7::/:/bin/sh\nbad:x:-1:0::/:/bin/sh\n'

test('finds an account in the file of accounts without a program, the first of its name', async (context) => {
  const files = await etc(context, { passwd, 'nsswitch.conf': 'group: files\npasswd:   files systemd\n' })
  const { run, commands } = scriptedRun(scriptAccounts(new Map()))
  assert.deepEqual(await openAccounts(run, files).find('ann'), ann)
  assert.deepEqual(commands, [])
  assert.equal(await findInPasswd(files, 'an'), undefined)
  assert.equal(await findInPasswd(files, 'bad'), undefined)
})

test('sees an account at once that came or went', async (context) => {
  const files = await etc(context, { passwd })
  assert.deepEqual(await findInPasswd(files, 'ann'), ann)
  await writeFile(files.real('/etc/passwd'), 'ben:x:1002:1002::/home/ben:/bin/sh\n')
  assert.equal(await findInPasswd(files, 'ann'), undefined)
  assert.equal((await findInPasswd(files, 'ben'))?.uid, 1002)
})

test('asks the host where another source comes first, or the file does not know the account', async (context) => {
  const files = await etc(context, { passwd, 'nsswitch.conf': 'passwd: sss files\n' })
  const { run } = scriptedRun(scriptAccounts(new Map([['ann', { uid: 5000 }]])))
  assert.equal((await openAccounts(run, files).find('ann'))?.uid, 5000)
  const local = await etc(context, { passwd })
  const others = scriptedRun(scriptAccounts(new Map([['ldap', { uid: 6000 }]])))
  assert.equal((await openAccounts(others.run, local).find('ldap'))?.uid, 6000)
})

async function etc(context: TestContext, content: Readonly<Record<string, string>>) {
  const root = await mkdtemp(join(tmpdir(), 'hostreeve-test-'))
  context.after(() => rm(root, { recursive: true }))
  await mkdir(join(root, 'etc'))
  for (const [name, text] of Object.entries(content)) await writeFile(join(root, 'etc', name), text)
  return openFiles(root)
}
