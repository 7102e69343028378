import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { startSmtpServer, type TestSmtpServer } from '../../../test/support/smtp-server.ts'
import { openMail } from './index.ts'

const message = {
  from: 'hostreeve@web1.example.com',
  to: 'ada@example.com',
  subject: 'Disk',
  text: 'It is full.\n',
  get signal() {
    return AbortSignal.timeout(60_000)
  },
}

describe('a message', () => {
  let server: TestSmtpServer
  let silent: Server
  before(async () => {
    server = await startSmtpServer({ password: 'secret word' })
    silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  })
  after(async () => {
    await server.close()
    silent.close()
  })
  const mail = openMail()
  const at = (credentials: string) => `smtp://${credentials}127.0.0.1:${server.port}`

  it('arrives with its sender, receiver and text', async () => {
    await mail.send({ ...message, server: at('panel:secret%20word@') })
    const [{ from, to, text } = assert.fail()] = server.received
    assert.deepEqual([from, to], [message.from, [message.to]])
    assert.match(text, /^Subject: Disk$/m)
    assert.match(text, /It is full\./)
  })

  it('is refused with the words of the server, never with the password', async () => {
    await assert.rejects(mail.send({ ...message, server: at('panel:wrong@') }), (error: Error) => {
      assert.match(error.message, /Invalid credentials/)
      assert.doesNotMatch(error.message, /wrong/)
      return true
    })
    server.refusal = 'Mailbox is full'
    await assert.rejects(mail.send({ ...message, server: at('panel:secret%20word@') }), /Mailbox is full/)
    server.refusal = undefined
  })

  it('has one receiver, whatever the address contains', async () => {
    await assert.rejects(
      mail.send({ ...message, to: 'ada@example.com, eve@example.com', server: at('panel:secret%20word@') }),
    )
    assert.ok(server.received.every(({ to }) => to.length === 1))
  })

  it('is given up where nobody answers', async () => {
    const { port } = silent.address() as AddressInfo
    const signal = AbortSignal.timeout(100)
    await assert.rejects(
      mail.send({ ...message, server: `smtp://127.0.0.1:${port}`, signal }),
      /no answer in time/,
    )
    await assert.rejects(mail.send({ ...message, server: 'smtp://127.0.0.1:1' }), /ECONNREFUSED/)
  })
})
