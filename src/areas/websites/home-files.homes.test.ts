import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Conflict, Problem } from '../../core/problem.ts'
import { asOwner, makeBench, skip } from '../../host/owner/testing/homes.ts'
import { existsInHome, readHomeFile, removeFromHome, writeHomeFile } from './home-files.ts'

const bench = skip === false ? makeBench() : undefined
after(() => bench?.remove())
const path = 'sites/a.test/panel/file'

test('a file of a home is written with its folder, read, and removed', { skip }, async () => {
  const owner = bench!.owners.of(bench!.account('h61601', 61_601))
  assert.equal(await readHomeFile(owner, path), undefined)
  await writeHomeFile(owner, path, 'text', { mode: 0o600 })
  assert.deepEqual(
    { ...(await readHomeFile(owner, path)), etag: '' },
    { text: 'text', mode: 0o600, etag: '' },
  )
  await removeFromHome(owner, 'sites/a.test/panel')
  assert.equal(await existsInHome(owner, path), false)
})

let uid = 61_601
for (const [title, script] of [
  ['a link to nowhere', 'ln -s /home/none panel'],
  ['a link to a folder of root', 'ln -s /etc panel'],
  ['a link to itself', 'ln -s panel panel'],
  ['a file', 'touch panel'],
  ['a pipe', 'mkfifo panel'],
  ['a folder that is closed', 'mkdir -m 0 panel'],
] as const)
  test(`${title} in the place of the folder is told with its path`, { skip }, async () => {
    uid++
    const account = bench!.account(`h${uid}`, uid)
    asOwner(account, 'sh', '-c', `mkdir -p sites/a.test; cd sites/a.test; ${script}`)
    await assert.rejects(
      writeHomeFile(bench!.owners.of(account), path, 'text', { mode: 0o600 }),
      (error) =>
        error instanceof Problem &&
        error.kind === Conflict &&
        error.message.startsWith('In the home of the website: sites/a.test/panel'),
    )
  })
