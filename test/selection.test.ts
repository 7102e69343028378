import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { budgets } from './budgets.ts'
import { isPartSelected, selectAreas, selectFiles, selectSuites } from './selection.ts'

const sources = {
  'src/areas/lbproxy/backends.ts': "import { haproxy } from '../../tools/haproxy/index.ts'",
  'test/hosts/lbproxy.test.ts':
    "import { boot } from './harness/index.ts'\nimport { ask } from './story/load.ts'",
  'test/hosts/story/load.ts': "import { other } from './clients.ts'",
  'test/hosts/story/clients.ts': '',
}
const names = Object.keys(Object.assign({}, ...Object.values(budgets).map(({ hosts }) => hosts)))

describe('the selection of suites', () => {
  let root: string
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'selection-'))
    for (const [path, text] of Object.entries(sources)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
  })
  after(() => rmSync(root, { recursive: true }))

  const select = (files: readonly string[] | undefined, committedAt = 0) =>
    selectSuites('hosts', names, { files, committedAt, root })
  const reasonOf = (name: string, files: readonly string[]) => {
    const reason = select(files).get(name)
    return reason === 'rotation' ? undefined : reason
  }

  it('is everything where the base is unknown, and for a change of the harness, the runner or the lock', () => {
    for (const files of [undefined, ['test/hosts/harness/host.ts'], ['package-lock.json'], ['.ci/run']])
      assert.deepEqual([...new Set(select(files).values())], ['all'])
    assert.equal(select(undefined).size, names.length)
    assert.ok(select(['test/runner/programs.ts', 'test/selection.ts']).size < names.length)
  })

  it('has the core list for each change, with all suites of another kind left to their own', () => {
    const selected = select(['docs/a.md', 'src/web/kit/table.tsx'])
    assert.equal(selected.get('first-site'), 'core')
    assert.ok(selected.size < names.length)
  })

  it('has the suites of a file, of an area and of a tool that the area imports', () => {
    assert.equal(reasonOf('lbproxy', ['test/hosts/lbproxy.test.ts']), 'its file')
    assert.equal(reasonOf('lbproxy', ['test/hosts/story/clients.ts']), 'its file')
    assert.equal(reasonOf('lbproxy', ['src/areas/lbproxy/web/Page.tsx']), 'its area')
    assert.equal(reasonOf('lbproxy', ['src/tools/haproxy/config/parse.ts']), 'its tool')
    assert.equal(reasonOf('lbproxy', ['src/areas/lbproxies/a.ts', 'src/tools/nginx/a.ts']), undefined)
    assert.equal(reasonOf('bad-input', ['src/jobs/queue.ts']), 'its area')
  })

  it('has each suite within two days by rotation, the same for one commit, and two groups for a foundation', () => {
    const times = Array.from({ length: 12 }, (_, at) => at * 4 * 3600)
    const rotated = times.map((time) => [...select([], time).keys()])
    assert.deepEqual([...new Set(rotated.flat())].toSorted(), names.toSorted())
    assert.deepEqual(rotated[0], [...select([], 1).keys()])
    assert.ok(select(['src/core/change.ts']).size > select([]).size)
  })
})

describe('the selection of test files', () => {
  const files = [
    'src/areas/uptime/probe.tool.test.ts',
    'src/tools/haproxy/parse.tool.test.ts',
    'src/host/run.tool.test.ts',
    'test/policies/bundle.tool.test.ts',
  ]
  // a time at which it is the turn of neither of the first two
  const committedAt = Array.from({ length: 12 }, (_, at) => at * 4 * 3600).find(
    (time) => selectFiles(files, { files: [], committedAt: time, root: '' }).length === 2,
  )
  const select = (changed: readonly string[] | undefined) =>
    selectFiles(files, { files: changed, committedAt: committedAt ?? 0, root: '' })

  it('has those of changed areas and tools, and those that are of neither', () => {
    assert.deepEqual(select(['docs/a.md']), files.slice(2))
    assert.deepEqual(select(['src/areas/uptime/web/Page.tsx']), [files[0], ...files.slice(2)])
    assert.deepEqual(select(['src/tools/haproxy/index.ts']), files.slice(1))
  })

  it('is everything where the base is unknown, and for a change of the host', () => {
    for (const changed of [undefined, ['src/host/owner/index.ts'], ['test/support/panel.ts'], ['.ci/run']])
      assert.deepEqual(select(changed), files)
  })

  it('has each file by rotation', () => {
    const times = Array.from({ length: 12 }, (_, at) => at * 4 * 3600)
    const rotated = times.flatMap((time) => selectFiles(files, { files: [], committedAt: time, root: '' }))
    assert.deepEqual([...new Set(rotated)].toSorted(), files.toSorted())
  })
})

describe('the selection of operations', () => {
  const areas = ['uptime', 'users', 'vcs']
  const select = (files: readonly string[] | undefined, committedAt = 0) =>
    selectAreas(areas, { files, committedAt, root: '' })

  it('is that of the changed areas and of the rotation', () => {
    assert.ok(select(['src/areas/uptime/area.ts', 'test/schema/scripts.ts'])?.has('uptime'))
    const times = Array.from({ length: 12 }, (_, at) => at * 4 * 3600)
    const rotated = times.map((time) => [...(select([], time) ?? areas)])
    assert.deepEqual([...new Set(rotated.flat())].toSorted(), areas)
    assert.ok(rotated.some((names) => names.length < areas.length))
  })

  it('is everything where the base is unknown, and for a change of the surfaces, the core or the tests', () => {
    for (const file of ['src/surfaces/http/mount.ts', 'src/core/target.ts', 'test/schema/hooks.py'])
      assert.equal(select([file]), undefined)
    assert.equal(select(undefined), undefined)
  })
})

describe('the parts that depend on their inputs', () => {
  const tree = (files: readonly string[] | undefined) => ({ files, committedAt: 0, root: '' })

  it('run when these changed, when the base is unknown, and when a mutated file changed', () => {
    assert.equal(isPartSelected('generators', tree(['scripts/new-area.ts'])), true)
    assert.equal(isPartSelected('generators', tree(['src/areas/users/area.ts'])), false)
    assert.equal(isPartSelected('mutate', tree(undefined)), true)
    assert.equal(
      isPartSelected('mutate', tree(['src/areas/users/area.ts']), ['src/areas/users/area.ts']),
      true,
    )
    assert.equal(isPartSelected('mutate', tree(['src/areas/users/area.ts'])), false)
    assert.equal(isPartSelected('mutate', tree(['src/surfaces/mcp/tools.ts'])), true)
    for (const part of ['generators', 'mutate'] as const) {
      assert.equal(isPartSelected(part, tree(['test/policies/rules.test.ts'])), true)
      assert.equal(isPartSelected(part, tree(['test/policies/exceptions.ts'])), false)
    }
    assert.equal(isPartSelected('mutate', tree(['src/surfaces/mcp/tools.test.ts'])), false)
  })
})
