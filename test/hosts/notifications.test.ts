import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'
import { untilListening } from './story/until-listening.ts'

const program = [
  '/opt/hostreeve/node_modules/.bin/node',
  '/opt/hostreeve/test/hosts/story/receivers.ts',
] as const

describe('notifications', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('notices')
    await startReceivers('receivers')
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.makeOwner('alice')
  })
  after(() => host?.remove())

  const startReceivers = async (unit: string) => {
    await host.must(['systemd-run', `--unit=${unit}`, ...program])
    for (const port of [9980, 25]) await untilListening(host, port)
  }
  const received = async (): Promise<readonly any[]> => {
    const { stdout } = await host.exec(['cat', '/root/received'])
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }
  const untilReceived = (isWanted: (each: any) => boolean) =>
    poll<any>('a message is received', 20_000, async () => (await received()).find(isWanted))
  /** Clones a repository that nobody serves. */
  const failJob = (path: string) =>
    admin.must('POST', '/api/filemanager/vcs/clone', {
      username: 'alice',
      path,
      url: 'http://127.0.0.1:9/none.git',
    })
  const setChannels = (channels: readonly object[]) =>
    admin.must('PUT', '/api/notifications/channels', { channels })

  it('of a failed job arrive by e-mail and by a signed webhook, also after kill -9 of the panel', async () => {
    const { channels } = await setChannels([
      { type: 'email', target: 'ada@example.com' },
      { type: 'webhook', target: 'http://127.0.0.1:9980/hook' },
    ])
    await admin.must('POST', `/api/notifications/channels/${channels[0].id}/test`)
    const asked = await untilReceived(({ text }) => text?.includes('Confirm your address'))
    const [, code] = /notifications here: (\w+)/.exec(asked.text) ?? assert.fail(asked.text)
    await admin.must('POST', `/api/notifications/channels/${channels[0].id}/confirm`, { code })
    await failJob('none')
    const mail = await untilReceived(({ text }) => /^Subject: .*failed/m.test(text ?? ''))
    assert.deepEqual(mail.to, ['ada@example.com'])
    const { headers, text } = await untilReceived((each) => each.headers !== undefined)
    assert.match(JSON.stringify(new Webhook(channels[1].secret).verify(text, headers)), /job_failed/)
    await panel.kill9()
    await panel.start()
    const { items } = await admin.must('GET', '/api/notifications')
    assert.equal(items.length, 1)
    assert.equal((await received()).length, 3)
  })

  it('wait where the mail server is stopped', async () => {
    await host.must(['systemctl', 'stop', 'receivers'])
    await admin.must('POST', '/api/notifications/mark-read', { all: true })
    await failJob('other')
    const refused = await poll<any>('an attempt fails', 20_000, async () =>
      (await admin.must('GET', '/api/notifications/deliveries?state=waiting')).items.find(
        ({ attempts }: { attempts: number }) => attempts > 0,
      ),
    )
    assert.match(refused.error, /ECONNREFUSED|refused/)
  })

  it('do as the guide says', async () => {
    await startReceivers('receivers-again')
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/notifications.md'), 'utf8'))
    assert.ok(blocks.length > 0)
    await runAll(host, panel, blocks)
    await untilReceived(
      ({ text }) => text?.includes('Confirm your address') && text.includes('guide@example.com'),
    )
  })
})
