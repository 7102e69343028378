import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { noticesOfServices } from '../services/notices.ts'
import { noticesOfDisks } from '../system/notices.ts'
import { collect } from './collect.ts'
import type { Notice, NoticeSource } from './source.ts'

describe('what a source returns', () => {
  let panel: TestPanel
  before(async () => void (panel = await openTestPanel()))
  after(() => panel.close())
  beforeEach(async () => {
    await panel.request('POST', '/api/notifications/delete', { as: panel.admin, body: { all: true } })
  })
  const items = async () => (await panel.request('GET', '/api/notifications', { as: panel.admin })).data.items
  const titles = async () => (await items()).map(({ title }: { title: string }) => title)
  const read = (source: NoticeSource, now = new Date()) =>
    collect({ store: panel.store, now: () => now }, source)
  const partOf = ({ part }: { readonly part: unknown }) => part as NoticeSource

  let current: readonly Partial<Notice>[] = []
  let count = 0
  const sample = (): NoticeSource => {
    const name = `sample-${++count}`
    const notice = {
      kind: 'sample',
      key: name,
      group: name,
      to: 'superusers',
      title: name,
      message: '',
      link: '',
    } as const
    return {
      name,
      kinds: [],
      after: [],
      read: async () => current.map((each) => ({ ...notice, ...each })),
    }
  }

  it('is raised once while it lasts, and again when it comes back', async () => {
    const source = sample()
    current = [{ lasts: true }]
    await read(source)
    await read(source)
    assert.equal((await items()).length, 1)
    current = []
    await read(source)
    current = [{ lasts: true }]
    await read(source)
    assert.deepEqual((await items())[0].count, 2)
  })

  it('is raised once where it happened once, for as long as sources look back', async () => {
    const source = sample()
    current = [{}]
    const now = Date.now()
    for (const hours of [0, 1, 25]) await read(source, new Date(now + hours * 3_600_000))
    assert.deepEqual((await items())[0].count, 1)
  })

  it('is one line with a limit, whatever a program wrote', async () => {
    current = [{ title: `a\nb\u0000${'x'.repeat(500)}`, message: 'y'.repeat(9000) }]
    await read(sample())
    const [{ title, message }] = await items()
    assert.match(title, /^a b x+$/)
    assert.deepEqual([title.length, message.length], [300, 4000])
  })

  it('is not raised for suspended users, nor for those who were deleted', async () => {
    const { id } = await panel.person({ isAdmin: true, isSuspended: true })
    current = [
      { key: 'a', to: id },
      { key: 'b', to: 999_999 },
    ]
    await read(sample())
    assert.deepEqual(await items(), [])
  })

  it('is a service that failed', async () => {
    const state = { name: 'nginx', description: 'Web server', active: false, enabled: true }
    const services = {
      detect: async () => ({ present: true }),
      list: async () => [
        { ...state, state: 'failed (exit-code)' },
        { ...state, name: 'cron', state: 'active (running)' },
      ],
    }
    await read(partOf(noticesOfServices({ services } as never)))
    assert.deepEqual(await titles(), ['The service nginx failed'])
  })

  it('is a disk above 90 %', async () => {
    const disk = (mount: string, used: number) => ({
      mount,
      device: '',
      type: 'ext4',
      size_bytes: 100 * 1_048_576,
      used_bytes: used * 1_048_576,
      available_bytes: (100 - used) * 1_048_576,
    })
    const machine = { localDisks: async () => [disk('/', 90), disk('/srv', 95)] }
    await read(partOf(noticesOfDisks({ machine } as never)))
    assert.deepEqual(await titles(), ['The disk /srv is 95 % full'])
    assert.match((await items())[0].message, /^5 MiB are available/)
  })
})
