import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PruneBody } from './model.ts'
import { chooseObjects, type Prunable } from './prune.ts'

const image = (Id: string, RepoTags: string[] | null, Labels: Record<string, string> | null = null) => ({
  Id,
  RepoTags,
  Labels,
  Size: 100,
  SharedSize: 40,
})

const engine: Prunable = {
  usage: {
    Images: [
      image('sha256:used', ['nginx:1']),
      image('sha256:stopped', ['redis:7']),
      image('sha256:free', ['busybox:1']),
      image('sha256:untagged', ['<none>:<none>']),
      image('sha256:backup', ['backup/shop:1'], { backup: '1' }),
    ],
    Containers: [
      { Id: 'c1', Names: ['/web'], ImageID: 'sha256:used', State: 'running' },
      { Id: 'c2', Names: ['/old'], ImageID: 'sha256:stopped', State: 'exited', SizeRw: 7 },
      { Id: 'c3', Names: ['/web.replaced'], ImageID: 'sha256:used', State: 'exited' },
    ],
    Volumes: [
      { Name: 'used', UsageData: { Size: 5, RefCount: 1 } },
      { Name: 'free', UsageData: { Size: 9, RefCount: 0 } },
      { Name: 'unknown', UsageData: null },
    ],
    BuildCache: [
      { ID: 'a', Size: 3, InUse: false },
      { ID: 'b', Size: 4, InUse: true },
    ],
  },
  networks: [{ Id: 'n2', Name: 'left' }],
  isBackup: ({ Labels }) => Labels !== null && Labels !== undefined && 'backup' in Labels,
  kept: new Set(['c3']),
}

const nothing: PruneBody = {
  images: 'none',
  containers: false,
  networks: false,
  volumes: false,
  build_cache: false,
}
const chosen = (wanted: Partial<PruneBody>) =>
  chooseObjects(engine, { ...nothing, ...wanted }).map(({ kind, id, size }) => `${kind} ${id} ${size}`)

describe('a clean-up', () => {
  it('removes nothing unless it is asked to', () => assert.deepEqual(chosen({}), []))

  it('removes images without a tag, or all that no container uses, but no backup', () => {
    assert.deepEqual(chosen({ images: 'untagged' }), ['image sha256:untagged 60'])
    assert.deepEqual(chosen({ images: 'unused' }), ['image sha256:free 60', 'image sha256:untagged 60'])
  })

  it('removes stopped containers but those that an edit has kept, and then their images', () => {
    assert.deepEqual(chosen({ containers: true, images: 'unused' }), [
      'container c2 7',
      'image sha256:stopped 60',
      'image sha256:free 60',
      'image sha256:untagged 60',
    ])
  })

  it('removes volumes, networks and build records that nothing uses', () => {
    assert.deepEqual(chosen({ volumes: true }), ['volume free 9'])
    assert.deepEqual(chosen({ networks: true }), ['network n2 0'])
    assert.deepEqual(chosen({ build_cache: true }), ['build cache build-cache 3'])
  })
})
