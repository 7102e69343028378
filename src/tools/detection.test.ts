import assert from 'node:assert/strict'
import { test } from 'node:test'
import { on, scriptedRun } from '../host/testing/scripted-run.ts'
import { detectByVersion, shareInProgress, versionIn } from './detection.ts'

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

test('detects a program by its version, and tells why one cannot be used', async () => {
  const detect = (answer: object) =>
    detectByVersion(['thing', '--version'])({ host: scriptedRun(on('thing --version', answer)) })
  assert.deepEqual(await detect({ stdout: 'thing 1.2.3\n' }), {
    present: true,
    version: '1.2.3',
    healthy: true,
    reason: null,
  })
  assert.equal((await detect({ code: 127 })).reason, 'thing is not installed')
  assert.deepEqual(await detect({ code: 1, stderr: 'no configuration' }), {
    present: true,
    version: 'unknown',
    healthy: false,
    reason: 'thing --version ended with exit status 1',
  })
})
