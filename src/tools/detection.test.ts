import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareInProgress, versionIn } from './detection.ts'

test('shares a detection in progress, and starts a new one after it', async () => {
  const begun: ((version: string) => void)[] = []
  const detect = shareInProgress(() => new Promise<string>((resolve) => begun.push(resolve)))
  const first = Array.from({ length: 500 }, () => detect())
  assert.equal(begun.length, 1)
  begun[0]!('1.0')
  assert.deepEqual(new Set(await Promise.all(first)), new Set(['1.0']))
  const second = detect()
  assert.equal(begun.length, 2)
  begun[1]!('2.0')
  assert.equal(await second, '2.0')
})

test('shares a failure with all callers, and does not cache it', async () => {
  let runs = 0
  const detect = shareInProgress(async () => {
    runs += 1
    throw new Error('too many files are open')
  })
  const both = await Promise.allSettled([detect(), detect()])
  assert.deepEqual([runs, both.map(({ status }) => status)], [1, ['rejected', 'rejected']])
  await assert.rejects(detect())
  assert.equal(runs, 2)
})

for (const [code, stdout, version] of [
  [0, 'Thing 1.2.3', '1.2.3'],
  [0, 'a vendor changed this line', 'unknown'],
  [124, '', 'unknown'],
  [126, '', 'unknown'],
  [1, '', 'unknown'],
  [127, '', undefined],
] as const) {
  test(`reads exit code ${code} with the output "${stdout}" as ${version ?? 'not installed'}`, () => {
    const result = { code, stdout, stderr: '', isCut: false, durationMs: 0 }
    assert.equal(versionIn(result, /^Thing (\S+)/m), version)
  })
}
