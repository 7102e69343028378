import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { kindsOf } from '../../core/endpoint.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { UserMissing } from '../databases/index.ts'
import { KeyMissing } from './problems.ts'

let panel: TestPanel
before(async () => {
  panel = await openTestPanel()
})
after(() => panel.close())

const { NotAnswering, SqlRefused } = connectProblems
const [updates, deletions] = ['/api/wordpress/{id}/updates', '/api/wordpress/{id}/deletions']
for (const [path, conflicts] of [
  ['/api/websites/{id}/backups', [KeyMissing]],
  ['/api/websites/{id}/staging/push', [KeyMissing]],
  [updates, [KeyMissing, UserMissing]],
  [deletions, [KeyMissing, UserMissing]],
] as const)
  test(`POST ${path} declares why no backup may be made`, () => {
    const { endpoint } = panel.routes.find((each) => each.endpoint.method === 'POST' && each.path === path)!
    const { conflict = [], program_unreachable: unreachable = [] } = endpoint.throws ?? {}
    const declared = new Set([...kindsOf(conflict).kinds, ...kindsOf(unreachable).kinds])
    for (const kind of [...conflicts, NotAnswering, SqlRefused]) assert.ok(declared.has(kind), kind.text)
    assert.equal(kindsOf(unreachable).status, 503)
  })
