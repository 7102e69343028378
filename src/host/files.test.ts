import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { openFiles, type Files } from './files.ts'

let root: string
let files: Files
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hf-'))
  files = openFiles(root)
  await files.makeDirectory('/etc')
})
afterEach(() => rm(root, { recursive: true, force: true }))

const modeOf = async (path: string) => (await stat(join(root, path))).mode & 0o7777

test('returns undefined for a name that no file can have', async () => {
  const path = `/etc/${'a'.repeat(300)}`
  assert.equal(await files.read(path), undefined)
  assert.equal(await files.facts(path), undefined)
})

test('returns undefined for a missing file', async () => {
  assert.equal(await files.read('/etc/none'), undefined)
  assert.equal(await files.facts('/etc/none'), undefined)
  assert.deepEqual(await files.list('/none'), [])
  assert.equal(await files.keep('/etc/none'), undefined)
})

test('writes a new file readable by all, and keeps the mode of one that is replaced', async () => {
  await files.write('/etc/a', 'one')
  assert.equal(await modeOf('/etc/a'), 0o644)
  await files.write('/etc/a', 'two', { rights: { mode: 0o640 } })
  await files.write('/etc/a', 'three')
  assert.equal(await modeOf('/etc/a'), 0o640)
  assert.equal(await files.read('/etc/a'), 'three')
})

test('gives a secret its mode before it is in place', async () => {
  const prepared = await files.prepare('/etc/key', 'secret', { rights: { mode: 0o600 } })
  assert.equal((await stat(prepared.preparedPath)).mode & 0o7777, 0o600)
  await prepared.commit()
  assert.equal(await modeOf('/etc/key'), 0o600)
})

test('replaces a link rather than writing through it', async () => {
  await writeFile(join(root, 'victim'), 'untouched')
  await symlink(join(root, 'victim'), join(root, 'etc/link'))
  await files.write('/etc/link', 'new', { rights: { mode: 0o644 } })
  assert.equal(await readFile(join(root, 'victim'), 'utf8'), 'untouched')
  assert.equal((await files.facts('/etc/link'))?.kind, 'file')
})

test('restores a kept file with its rights', async () => {
  await files.write('/etc/a', 'old', { rights: { mode: 0o600 } })
  const kept = await files.keep('/etc/a')
  await files.write('/etc/a', 'new', { rights: { mode: 0o644 } })
  await kept?.restore()
  assert.equal(await files.read('/etc/a'), 'old')
  assert.equal(await modeOf('/etc/a'), 0o600)
  assert.deepEqual(await readdir(join(root, 'etc')), ['a'])
})

test('restores a kept file that was not replaced', async () => {
  await files.write('/etc/a', 'old')
  await (await files.keep('/etc/a'))?.restore()
  assert.deepEqual(await readdir(join(root, 'etc')), ['a'])
})

test('does not list the leftovers of a killed panel, and removes them', async () => {
  await files.write('/etc/a', 'a')
  await files.prepare('/etc/a', 'never in place')
  await files.keep('/etc/a')
  await writeFile(join(root, 'etc/.b.hostreeve-new-mine'), "somebody else's")
  assert.deepEqual(await files.list('/etc'), ['.b.hostreeve-new-mine', 'a'])
  assert.equal((await files.cleanLeftovers('/etc')).length, 2)
  assert.deepEqual(await readdir(join(root, 'etc')), ['.b.hostreeve-new-mine', 'a'])
})

test('removes only an empty directory', async () => {
  await files.write('/etc/a', 'a')
  assert.equal(await files.removeDirectory('/etc'), false)
  await files.remove('/etc/a')
  assert.equal(await files.removeDirectory('/etc'), true)
})
