import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test, type TestContext } from 'node:test'
import { openFiles } from '../../host/files.ts'
import type { Run, RunResult } from '../../host/run.ts'
import { debianLayout } from './layout.ts'
import { openProgram } from './program.ts'

/** A HAProxy that answers only on request, and counts its starts. */
function slowHaproxy(t: TestContext) {
  const root = mkdtempSync(`${tmpdir()}/hp-`)
  t.after(() => rmSync(root, { recursive: true }))
  mkdirSync(`${root}/usr/sbin`, { recursive: true })
  const install = (content: string) => writeFileSync(`${root}/usr/sbin/haproxy`, content)
  install('')
  const started: ((answer: Partial<RunResult>) => void)[] = []
  const run: Run = () =>
    new Promise((resolve) =>
      started.push((answer) =>
        resolve({ code: 0, stdout: '', stderr: '', isCut: false, durationMs: 0, ...answer }),
      ),
    )
  const { version } = openProgram(run, openFiles(root), debianLayout)
  const all = (count: number) => Promise.all(Array.from({ length: count }, version))
  const begun = async (count: number) => {
    while (started.length < count) await new Promise(setImmediate)
  }
  return { version, started, install, all, begun }
}

test('starts HAProxy once for 500 callers, and again only after a new installation', async (t) => {
  const { version, started, install, all, begun } = slowHaproxy(t)
  const first = all(500)
  await begun(1)
  started[0]!({ stdout: 'HAProxy version 2.6.12-1 2026/10/17\n' })
  assert.deepEqual(new Set(await first), new Set(['2.6.12-1']))
  assert.equal(await version(), '2.6.12-1')
  assert.equal(started.length, 1)
  install('an upgrade')
  const next = version()
  await begun(2)
  started[1]!({ stdout: 'HAProxy version 3.0.1 2027/01/01\n' })
  assert.equal(await next, '3.0.1')
})

test('treats a HAProxy that timed out as installed, and queries it again', async (t) => {
  const { version, started, begun } = slowHaproxy(t)
  const late = version()
  await begun(1)
  started[0]!({ code: 124 })
  assert.equal(await late, 'unknown')
  const again = version()
  await begun(2)
  started[1]!({ stdout: 'HAProxy version 2.6.12-1 2026/10/17\n' })
  assert.equal(await again, '2.6.12-1')
})
