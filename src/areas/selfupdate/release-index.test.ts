import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openAddresses, openFetch } from '../../host/fetch/index.ts'
import { newestRelease } from './release-index.ts'
import { type ReleaseIndex, releaseEntry, releaseKey, startReleaseIndex } from './testing/release-index.ts'

describe('the index of releases', () => {
  let index: ReleaseIndex
  before(async () => {
    index = await startReleaseIndex()
  })
  after(() => index.close())

  const newestFor = (architecture: string) => {
    const server = { fetch: openFetch(openAddresses()), url: index.url, publicKey: releaseKey, architecture }
    return newestRelease(server, '1.0.0')
  }

  it('gives each architecture its own newest release', async () => {
    const releases = [
      releaseEntry('1.2.0', { architecture: 'x64' }),
      releaseEntry('1.1.0', { architecture: 'arm64' }),
      releaseEntry('1.1.0', { architecture: 'x64' }),
    ]
    index.text = JSON.stringify(releases)
    const found = await Promise.all(['x64', 'arm64'].map(newestFor))
    assert.deepEqual(
      found.map(({ version, architecture }) => [version, architecture]),
      [
        ['1.2.0', 'x64'],
        ['1.1.0', 'arm64'],
      ],
    )
    await assert.rejects(newestFor('riscv64'), /no newer version for the architecture riscv64/)
  })

  it('is not believed where a release of one architecture is given out as one of another', async () => {
    index.text = JSON.stringify([
      { ...releaseEntry('1.1.0', { architecture: 'x64' }), architecture: 'arm64' },
    ])
    await assert.rejects(newestFor('arm64'), /signature of version 1\.1\.0 is wrong/)
  })
})
