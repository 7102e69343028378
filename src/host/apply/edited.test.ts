import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { type TestContext, test } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { type Files, openFiles } from '../files.ts'
import { openApplyEdit } from './edited.ts'
import type { EditedTool } from './edited-tool.ts'

/** A program that refuses lines that say so, and serves what lay in its file at its last reload. */
function open(t: TestContext, content: string | Uint8Array = 'first\n') {
  const root = mkdtempSync(`${tmpdir()}/hostreeve-edited-`)
  t.after(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(`${root}/etc`)
  const path = `${root}/etc/tool.cfg`
  writeFileSync(path, content)
  const seen = { prepared: 0, checks: 0, reloads: 0, served: '' }
  const hooks: { onCheck?: () => void } = {}
  const tool: EditedTool = {
    name: 'tool',
    kind: 'edited',
    path: '/etc/tool.cfg',
    checkCommand: ['tool', '--check'],
    isServed: async () => true,
    assertAvailable: async () => {},
    check: async (candidate) => {
      seen.checks++
      hooks.onCheck?.()
      return readFileSync(candidate, 'utf8').includes('bad') ? `${candidate}: I do not like this` : undefined
    },
    activate: async () => {
      seen.reloads++
      const text = readFileSync(path, 'utf8')
      if (text.includes('port in use')) return { outcome: 'refused', message: 'cannot bind' }
      seen.served = text
      return { outcome: 'live', message: '' }
    },
  }
  const real = openFiles(root)
  const prepare: Files['prepare'] = (...args) => {
    seen.prepared++
    return real.prepare(...args)
  }
  const { applyEdit } = openApplyEdit({ ...real, prepare })
  const append = (line: string) => applyEdit(tool, (current) => `${current}${line}\n`)
  return { root, path, seen, hooks, tool, applyEdit, append, read: () => readFileSync(path, 'utf8') }
}

const settled = async (pending: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(pending)).map((each) =>
    each.status === 'fulfilled'
      ? 'live'
      : each.reason instanceof Problem
        ? each.reason.message
        : String(each.reason),
  )

test('an edit is applied to the current content of the file, and keeps its owner and mode', async (t) => {
  const { append, read, seen, path, root } = open(t)
  chmodSync(path, 0o640)
  assert.deepEqual(await append('second'), { isChanged: true, isLive: true })
  assert.equal(read(), 'first\nsecond\n')
  assert.equal(seen.served, read())
  assert.equal(statSync(path).mode & 0o777, 0o640)
  assert.deepEqual(readdirSync(`${root}/etc`), ['tool.cfg'])
})

test('a candidate is written once: the checked file is the one that is moved into place', async (t) => {
  const { append, seen, applyEdit, tool } = open(t)
  await append('second')
  assert.deepEqual([seen.prepared, seen.checks], [1, 1])
  await applyEdit(tool, (current) => current)
  assert.deepEqual([seen.prepared, seen.checks], [1, 1])
  await Promise.all(['a', 'b', 'c'].map(append))
  assert.deepEqual([seen.prepared, seen.checks], [2, 2])
})

test('a bisected batch leaves no candidate behind', async (t) => {
  const { append, read, root } = open(t)
  await settled(['a', 'bad', 'b', 'bad', 'c', 'bad'].map(append))
  assert.equal(read(), 'first\na\nb\nc\n')
  assert.deepEqual(readdirSync(`${root}/etc`), ['tool.cfg'])
})

test('a mode that changes while the candidate is checked is kept', async (t) => {
  const { append, hooks, path } = open(t)
  hooks.onCheck = () => {
    delete hooks.onCheck
    chmodSync(path, 0o600)
  }
  await append('ours')
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('a hundred waiting edits are all applied with few reloads', async (t) => {
  const { append, read, seen } = open(t)
  await Promise.all(Array.from({ length: 100 }, (_, index) => append(`line ${index}`)))
  assert.equal(read().split('\n').length, 102)
  assert.ok(seen.reloads <= 2, `${seen.reloads} reloads`)
})

test("only the bad edit is rejected, with the program's message about the live file", async (t) => {
  const { append, read, seen } = open(t)
  assert.deepEqual(await settled(['a', 'b', 'bad', 'c', 'd'].map(append)), [
    'live',
    'live',
    '/etc/tool.cfg: I do not like this',
    'live',
    'live',
  ])
  assert.equal(read(), 'first\na\nb\nc\nd\n')
  assert.ok(seen.reloads <= 2)
})

test('an edit that conflicts with a bad one is retried without it', async (t) => {
  const { applyEdit, tool, read } = open(t)
  const unlessThere = (line: string) => (current: string) => {
    if (current.includes('taken')) throw new Error('taken')
    return `${current}taken ${line}\n`
  }
  assert.deepEqual(
    await settled([applyEdit(tool, unlessThere('bad')), applyEdit(tool, unlessThere('good'))]),
    ['/etc/tool.cfg: I do not like this', 'live'],
  )
  assert.equal(read(), 'first\ntaken good\n')
})

test('an edit that the program does not load is undone, and only that edit is rejected', async (t) => {
  const { append, read, seen, root } = open(t)
  assert.deepEqual(await settled(['a', 'port in use', 'b'].map(append)), ['live', 'cannot bind', 'live'])
  assert.equal(read(), 'first\na\nb\n')
  assert.equal(seen.served, read())
  assert.deepEqual(readdirSync(`${root}/etc`), ['tool.cfg'])
})

test('an edit by hand during a change is kept', async (t) => {
  const { append, read, hooks, path } = open(t)
  hooks.onCheck = () => {
    delete hooks.onCheck
    writeFileSync(path, 'by hand\n')
  }
  await append('ours')
  assert.equal(read(), 'by hand\nours\n')
})

test('a file that another program keeps writing to is reported, and nothing is overwritten', async (t) => {
  const { append, read, hooks, path } = open(t)
  let count = 0
  hooks.onCheck = () => writeFileSync(path, `by hand ${count++}\n`)
  await assert.rejects(append('ours'), /edited by another user/)
  assert.equal(read(), `by hand ${count - 1}\n`)
})

test('a file that is not UTF-8 keeps its bytes', async (t) => {
  const { append, path } = open(t, Buffer.from([0x23, 0xe9, 0xff, 0x0a]))
  await append('x')
  assert.deepEqual([...readFileSync(path)], [0x23, 0xe9, 0xff, 0x0a, 0x78, 0x0a])
})

test('an edit without changes causes no reload', async (t) => {
  const { applyEdit, tool, seen } = open(t)
  assert.deepEqual(await applyEdit(tool, (current) => current), { isChanged: false, isLive: true })
  assert.equal(seen.reloads, 0)
})

test('a link in the place of the file is not replaced', async (t) => {
  const { append, path, root } = open(t)
  rmSync(path)
  symlinkSync(`${root}/elsewhere`, path)
  await assert.rejects(append('x'), /not a regular file/)
})
