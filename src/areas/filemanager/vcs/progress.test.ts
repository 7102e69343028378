import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { percentOf, reportGitProgress } from './progress.ts'

describe('the progress output of git', () => {
  it('is converted to the overall percentage', () => {
    assert.equal(percentOf('Receiving objects:  50% (5/10), 1.20 MiB | 2.00 MiB/s'), 40)
    assert.equal(percentOf('Resolving deltas: 100% (3/3), done.'), 92)
    assert.equal(percentOf('Writing objects:   0% (0/10)'), 20)
    assert.equal(percentOf('Updating files: 999% (9/1)'), 100)
  })

  it('has no percentage if it counts on the remote side or without a total', () => {
    assert.equal(percentOf('remote: Counting objects:  50% (5/10)'), null)
    assert.equal(percentOf('Enumerating objects: 12, done.'), null)
    assert.equal(percentOf('Filtering content:  10% (1/10)'), null)
  })

  it('is job output if it is not progress', async () => {
    const messages: string[] = []
    const report = reportGitProgress({
      progress: async (percent, message) => void messages.push(`${percent} ${message}`),
      output: async (line) => void messages.push(line),
    })
    for (const line of [
      "Cloning into 'x'...",
      'Resolving deltas:   0% (0/3)',
      'From https://example.com/a: 5',
    ])
      report(line)
    assert.deepEqual(messages, [
      "Cloning into 'x'...",
      '80 Resolving deltas:   0% (0/3)',
      'From https://example.com/a: 5',
    ])
  })
})
