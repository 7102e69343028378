import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { shellBlocks } from '../../../test/hosts/story/guide.ts'
import { openTestPanel } from '../../../test/support/panel.ts'

const guide = readFileSync(new URL('../../../docs/guides/mcp.md', import.meta.url), 'utf8')

test('the guide of agents works as it is written', async () => {
  const panel = await openTestPanel({ isMeasured: true })
  try {
    await panel.start() // a job carries out what was approved
    const address = await panel.app.listen({ host: '127.0.0.1', port: 0 })
    const { email, password } = panel.admin
    const env = { PATH: process.env['PATH'], BASE: address, EMAIL: email, PASSWORD: password }
    const script = shellBlocks(guide).join('\n')
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      env,
      timeout: 300_000,
    })
    const answers = stdout
      .split('\n')
      .flatMap((line): { result: any }[] => (line.startsWith('{"jsonrpc"') ? [JSON.parse(line)] : []))
    const [greeted, listed, plugins, endpoints, refused, asked, outcome] = answers.map(({ result }) => result)
    assert.equal(greeted.serverInfo.name, 'hostreeve')
    assert.equal(listed.tools.length, 17)
    assert.match(plugins.content[0].text, /^HTTP 200\n/)
    assert.equal(endpoints.content[0].text, 'GET /api/plugins')
    assert.deepEqual([refused.isError, refused.content[0].text.slice(0, 8)], [true, 'HTTP 403'])
    assert.match(asked.content[0].text, /^HTTP 202\n[^]*"plan_id": \d+/)
    assert.match(outcome.content[0].text, /^HTTP 200\n[^]*"success": true/)
    assert.match(stdout, /"state":"done"/)
  } finally {
    await panel.close()
  }
})
