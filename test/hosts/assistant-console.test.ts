import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, poll } from './harness/index.ts'
import { type AssistantHost, openAssistant } from './story/assistant.ts'
import { messengerUrl } from './story/openclaw.ts'

describe('the messenger and the console of the assistant', () => {
  let host: Host
  let on: AssistantHost
  before(async () => {
    host = await bootHost('aiconsole')
    on = await openAssistant(host)
    await on.admin.installNginx()
    await on.setUp()
  })
  after(() => host?.remove())

  it('admits a sender of a messenger', async () => {
    await on.must('POST', '/stop')
    await on.must('POST', '/channel-a/config', { token: '777:STANDIN' })
    const current = await on.config()
    const telegram = {
      ...current.channels.telegram,
      apiRoot: messengerUrl,
      network: { dangerouslyAllowPrivateNetwork: true },
    }
    await on.must('POST', '/config', { config: { ...current, channels: { ...current.channels, telegram } } })
    await on.must('POST', '/restart')
    const post = (path: string, body: object) =>
      host.must(['curl', '-fsS', `${messengerUrl}/${path}`, '-d', JSON.stringify(body)])
    await post('inject', { id: 4242, first_name: 'Ann', username: 'ann', text: 'hi' })
    const waiting = await poll(
      'a sender waits',
      60_000,
      async () => (await on.must('GET', '/channel-a/pairings')).pairings[0],
    )
    await on.must('POST', '/channel-a/pairings/approve', {
      request: waiting.request,
      account: waiting.account,
    })
    await post('inject', { id: 4242, first_name: 'Ann', username: 'ann', text: 'hello there' })
    await poll(
      'the answer on the messenger',
      60_000,
      async () => (await post('sent', {})).stdout.includes('You said: hello there') || undefined,
    )
  })

  it('serves its console to the network over TLS alone, and hides it', async () => {
    assert.equal((await on.must('GET', '/webconsole/healthcheck')).healthy, true)
    await on.must('POST', '/webconsole/enable-lan', { port: 7444 })
    const page = await host.must(['curl', '-fsSk', 'https://127.0.0.1:7444/'])
    assert.match(page.stdout, /<html/i)
    const { stdout } = await host.must(['ss', '-Hltn'])
    assert.ok(stdout.split('\n').some((line) => /127\.0\.0\.1:18789/.test(line)))
    assert.ok(!stdout.split('\n').some((line) => /(?:0\.0\.0\.0|\*|\[::\]):18789/.test(line)))
    await on.must('POST', '/webconsole/disable-lan')
    assert.notEqual((await host.exec(['curl', '-fsSk', 'https://127.0.0.1:7444/'])).code, 0)
  })
})
