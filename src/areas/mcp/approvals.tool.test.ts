import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { openTestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { haproxySkipReason, scratchHead, startScratchHaproxy } from '../../tools/haproxy/testing/scratch.ts'
import { openAgent } from './testing/agent.ts'

const options = { skip: haproxySkipReason(), timeout: 300_000 }

test('a plan is stale once its file was edited, and carried out as it was approved', options, async (t) => {
  const scratch = await startScratchHaproxy(scratchHead)
  t.after(scratch.stop)
  const panel = await openTestPanel({ haproxy: scratch.options })
  t.after(panel.close)
  await panel.start()
  const agent = await openAgent(panel, panel.admin.id, { approve: true })
  const askFor = async (): Promise<number> => {
    const call = { method: 'POST', path: '/lbproxy/backends', body: { name: 'shop' } }
    const { text, status } = await agent.call('api_call', call)
    assert.equal(status, 202, text)
    return JSON.parse(text.replace(/^.*\n/, '')).data.plan_id
  }
  const approve = (id: number) =>
    panel.request('POST', `/api/mcp-keys/approvals/${id}/approve`, { as: panel.admin })
  const read = async (id: number) =>
    (await panel.request('GET', `/api/mcp-keys/approvals/${id}`, { as: panel.admin })).data

  const first = await askFor()
  assert.match(JSON.stringify((await read(first)).plan.steps), /\+backend shop/)
  // a line that the diff does not show
  const edited = (await scratch.read()).replace(/^global$/m, 'global # by hand')
  await writeFile(scratch.layout.configPath, edited)
  const refused = await approve(first)
  assert.deepEqual([refused.status, refused.error.code], [409, 'conflict'])
  assert.doesNotMatch(await scratch.read(), /^backend shop$/m)

  const second = await askFor()
  assert.equal((await approve(second)).status, 202)
  const { answer } = await until(async () => {
    const shown = await read(second)
    return shown.state === 'done' && shown
  })
  assert.match(answer, /"name":"shop"/)
  assert.match(await scratch.read(), /^global # by hand$[^]*^backend shop$/m)
})
