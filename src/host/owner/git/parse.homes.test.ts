import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../../../core/problem.ts'
import { ToolMissing } from '../problems.ts'
import { makeBench, skip } from '../testing/homes.ts'
import { GitFailed } from './problems.ts'
import { runGit } from './run.ts'

describe('a run of git', { skip }, () => {
  it('ends at its limits of time and output, and when cancelled; a missing program is named', async () => {
    const bench = makeBench()
    const run = (args: readonly string[], more: object, program: string) =>
      runGit(bench.alice, { args, ...more }, program).then(
        ({ out, isCut }) => `${out.length} ${isCut}`,
        (error: unknown) => error,
      )
    const late = await run(['10'], { timeoutMs: 300 }, '/usr/bin/sleep')
    assert.ok(
      late instanceof Problem && late.kind === GitFailed && /did not end within/.test(late.message),
      String(late),
    )
    assert.equal(await run(['x'], { maxBytes: 1000, cuts: true }, '/usr/bin/yes'), '1000 true')
    assert.match(String(await run(['x'], { maxBytes: 1000 }, '/usr/bin/yes')), /exceeds 1000 bytes/)
    assert.match(
      String(await run(['10'], { signal: AbortSignal.timeout(200) }, '/usr/bin/sleep')),
      /TimeoutError/,
    )
    const missing = await run([], {}, '/usr/bin/absent')
    assert.ok(missing instanceof Problem && missing.kind === ToolMissing)
    await bench.remove()
  })

  it('sees the home and its own files, no network, and has no capability', async () => {
    const bench = makeBench()
    const see = async (program: string, ...args: string[]) =>
      (await runGit(bench.alice, { args, files: { handed: 'x' } }, program)).out.toString('utf8')
    for (const hidden of ['/etc', '/root', '/var', '/home', '/proc', '/sys', '/opt', '/srv'])
      assert.equal(await see('/usr/bin/ls', hidden), '', hidden)
    assert.equal(await see('/usr/bin/find', '/run', '-type', 'f'), '/run/hostreeve/git/handed\n')
    assert.match(await see('/usr/bin/id', '-u'), /^61001/)
    assert.equal(await see('/usr/bin/find', '/tmp', '-type', 'f'), '')
    await bench.remove()
  })
})
