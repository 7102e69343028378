import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Agent } from '../../core/agent.ts'
import { openAgentTokens } from './tokens.ts'

const twoMinutesMs = 120_000
const owner = { user: { id: 7 }, ip: '192.0.2.1', requestId: 'first', userAgent: 'agent', keyId: null }
const agent = { owner } as unknown as Agent
const visitor = { ip: '127.0.0.1', requestId: 'second', userAgent: 'panel' }

it('a token of a call names the owner at the address of the agent, for two minutes at the most', () => {
  let now = 0
  const tokens = openAgentTokens(() => now)
  const { token } = tokens.mint(agent)
  const other = tokens.mint(agent)
  assert.notEqual(token, other.token)
  now = twoMinutesMs - 1
  const found = tokens.find(token, visitor)
  assert.deepEqual([found?.user.id, found?.ip, found?.requestId], [7, '192.0.2.1', 'second'])
  other.revoke()
  assert.equal(tokens.find(other.token, visitor), undefined)
  now = twoMinutesMs
  assert.equal(tokens.find(token, visitor), undefined)
  now = 0
  assert.equal(tokens.find(token, visitor), undefined, 'it has ended for good')
  for (const wrong of ['', 'hrm_', 'mcp_x', token.slice(4)])
    assert.equal(tokens.find(wrong, visitor), undefined)
})
