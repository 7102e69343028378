import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { activity } from './activity.ts'

describe('the export of the activity log into a file', () => {
  let folder: string
  let panel: Server
  let answer: (reply: ServerResponse) => void
  beforeEach(async () => {
    folder = mkdtempSync(`${tmpdir()}/hostreeve-export-`)
    writeFileSync(`${folder}/local.token`, 'token')
    panel = createServer((_request, reply) => answer(reply))
    await new Promise<void>((resolve) => panel.listen(`${folder}/panel.sock`, resolve))
  })
  afterEach(() => {
    panel.close()
    panel.closeAllConnections()
    rmSync(folder, { recursive: true })
  })

  const output = () => `${folder}/export.jsonl`
  const run = () =>
    activity(
      { positionals: ['export'], isJson: false, body: undefined, output: output() },
      { data_dir: folder },
    )

  it('writes what the panel sends', async () => {
    answer = (reply) => reply.end('a line\n')
    assert.equal(await run(), 0)
    assert.equal(readFileSync(output(), 'utf8'), 'a line\n')
    await assert.rejects(run(), /export\.jsonl exists already/)
  })

  it('keeps no part of an export', async () => {
    answer = (reply) => void reply.write('a li', () => reply.destroy())
    await assert.rejects(run())
    assert.equal(existsSync(output()), false)
  })

  it('keeps what another put there meanwhile: here a link to nothing, which does not exist before', async () => {
    answer = (reply) => reply.end('a line\n')
    symlinkSync('nowhere', output())
    await assert.rejects(run(), /EEXIST/)
    assert.equal(readlinkSync(output()), 'nowhere')
  })

  for (const [title, text, message] of [
    [
      'the message of a refusal',
      '{"error":{"code":"unavailable","message":"The panel is starting"}}',
      'The panel is starting',
    ],
    ['another reply as it is', 'no JSON', 'no JSON'],
  ] as const)
    it(`shows ${title}`, async () => {
      answer = (reply) => reply.writeHead(503).end(text)
      await assert.rejects(run(), new Error(message))
      assert.equal(existsSync(output()), false)
    })
})
