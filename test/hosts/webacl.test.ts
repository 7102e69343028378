import assert from 'node:assert/strict'
import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pause } from '../../src/core/poll.ts'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'

const limitMs = 120_000

describe('web access control', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let site: number
  before(async () => {
    host = await bootHost('webacl', { image: 'lua' })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    ada = await admin.makeOwner('ada')
    const bob = await admin.makeOwner('bob')
    const create = async (owner: Owner, domain: string) =>
      (await owner.signedIn.must('POST', '/api/websites', { domain, type: 'static' })).id
    site = await create(ada, 'ada.example.com')
    await create(bob, 'bob.example.com')
  })
  after(() => host?.remove())

  const ask = (method: string, path: string, body?: object) => admin.ask(method, `/api/webacl${path}`, body)
  const must = async (method: string, path: string, body?: object) => {
    const { status, data, message } = await ask(method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${status} ${message}`)
    return data
  }
  const statusOf = async (domain: string, path = '/') => (await visit(host, domain, path)).status
  const fileOf = (domain: string) =>
    readFile(join(host.rootPath, `etc/nginx/hostreeve/sites/${domain}.conf`), 'utf8')
  const draft = (value: string, operator = 'starts_with') => ({
    website_id: site,
    name: `Block ${value}`,
    action: 'block',
    rules: [{ name: value, conditions: [{ field: 'path', operator, value }] }],
  })
  const apply = (id: string) => must('POST', `/rulesets/${id}/apply`, { website_id: site })
  const undoLast = async () => {
    const { data } = await admin.ask('GET', '/api/activity?per_page=1')
    const { status, message } = await admin.ask('POST', `/api/activity/${data.items[0].id}/undo`)
    assert.equal(status, 200, message)
  }

  it('has rules, and nginx unchanged, before the module is set up', async () => {
    const before = await fileOf('ada.example.com')
    const { id } = await must('POST', '/rulesets', draft('/early'))
    const { rulesets } = await must('GET', `/rulesets?website_id=${site}`)
    assert.deepEqual([rulesets.length, rulesets[0].hits], [1, null])
    const { rules } = await must('GET', `/rulesets/${id}/rules?website_id=${site}`)
    assert.deepEqual([rules.length, rules[0].hits], [1, null])
    const { status, message } = await ask('POST', `/rulesets/${id}/apply`, { website_id: site })
    assert.deepEqual([status, await fileOf('ada.example.com')], [503, before], message)
    await must('DELETE', `/rulesets/${id}?website_id=${site}`)
  })

  it('loads the module again where an administrator has removed its line', async () => {
    await rm(join(host.rootPath, 'etc/nginx/modules-enabled/50-mod-http-lua.conf'))
    await host.must(['nginx', '-s', 'reload'])
    assert.deepEqual(await must('GET', '/script-module/status'), { installed: true, loaded: false })
    assert.deepEqual(await must('POST', '/script-module/install'), { installed: true, loaded: true })
    assert.deepEqual(await must('GET', '/script-module/status'), { installed: true, loaded: true })
    assert.equal(await statusOf('ada.example.com'), 200)
  })

  it('follows the guide, as it stands there', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/web-access-control.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /"decision":\s*"block"/)
    assert.match(output, /"decision":\s*"serve"/)
    assert.match(output, /^403\n200$/m)
    assert.equal(await statusOf('ada.example.com', '/admin'), 403)
    assert.equal(await statusOf('bob.example.com', '/admin'), 404)
  })

  it('covers a website that its owner creates later, and none of another owner', async () => {
    await ada.signedIn.must('POST', '/api/websites', { domain: 'later.example.com', type: 'static' })
    assert.equal(await statusOf('later.example.com', '/admin'), 403)
    assert.doesNotMatch(await fileOf('bob.example.com'), /lua/)
  })

  it('is undone, and applied again', async () => {
    const { id } = await must('POST', '/rulesets', draft('/undo'))
    assert.equal(await statusOf('ada.example.com', '/undo'), 404)
    await apply(id)
    assert.equal(await statusOf('ada.example.com', '/undo'), 403)
    await undoLast()
    assert.equal(await statusOf('ada.example.com', '/undo'), 404)
    assert.equal((await must('GET', `/pending?website_id=${site}`)).pending, true)
    await apply(id)
    assert.equal(await statusOf('ada.example.com', '/undo'), 403)
    const { rulesets } = await must('GET', `/rulesets?website_id=${site}`)
    assert.equal(rulesets.find((each: any) => each.id === id).hits >= 1, true)
  })

  it('replays the logs of all websites of the owner, and finds what they really were asked', async () => {
    const { rulesets } = await must('GET', `/rulesets?website_id=${site}`)
    const { id } = rulesets.find(({ name }: any) => name === 'Block /undo')
    const domains = ['ada', 'acl', 'later'].map((name) => `${name}.example.com`)
    const logs = await Promise.all(
      domains.map((domain) =>
        readFile(join(host.rootPath, `var/log/hostreeve/sites/${domain}/access.log`), 'utf8'),
      ),
    )
    const lines = logs.join('').split('\n').slice(0, -1)
    const { bytes } = await ask('POST', `/rulesets/${id}/replay`, { website_id: site })
    const events = bytes
      .toString()
      .split('\n\n')
      .filter((each) => each.includes('data: '))
    const { type, replay } = JSON.parse(events.at(-1)!.split('data: ')[1]!)
    assert.deepEqual(
      [type, replay.websites, replay.lines, replay.unreadable, replay.undecidable],
      ['done', 3, lines.length, 0, 0],
    )
    const wanted = lines.filter((line) => line.includes('"GET /undo ')).length
    assert.ok(wanted >= 4)
    assert.deepEqual([replay.matched, replay.rules[0].matched], [wanted, wanted])
    const [example] = replay.rules[0].examples
    assert.deepEqual([example.domain, example.path], ['ada.example.com', '/undo'])
    assert.ok(replay.decided_earlier > 0, 'the ruleset of the guide decides /admin before')
  })

  it('loads new rules while visitors come, and answers each of them', async () => {
    const { id } = await must('POST', '/rulesets', draft('/loaded'))
    const ending = new AbortController()
    const asked: Promise<number>[] = []
    const seen = new Set<number>()
    const visitLoaded = async () => {
      const status = await statusOf('ada.example.com', '/loaded')
      seen.add(status)
      return status
    }
    const isSeen = (status: number) =>
      poll(`a visitor who is answered ${status}`, limitMs, async () => seen.has(status) || undefined)
    const visitors = (async () => {
      while (!ending.signal.aborted) {
        asked.push(visitLoaded())
        await pause(10, ending.signal)
      }
    })()
    await isSeen(404)
    await apply(id)
    await isSeen(403)
    await must('DELETE', `/rulesets/${id}?website_id=${site}`)
    await apply(id)
    ending.abort()
    await visitors
    const statuses = new Set(await Promise.all(asked))
    assert.deepEqual([...statuses].toSorted(), [403, 404])
  })

  it('refuses an expression that nginx cannot compile, and keeps what is served', async () => {
    const { id } = await must('POST', '/rulesets', draft('(', 'matches'))
    const { status, code, message } = await ask('POST', `/rulesets/${id}/apply`, { website_id: site })
    assert.deepEqual([status, code], [400, 'bad_request'])
    assert.match(message, /condition 0 of the rule "\("/)
    assert.equal(await statusOf('ada.example.com', '/undo'), 403)
    await must('DELETE', `/rulesets/${id}?website_id=${site}`)
  })

  it('simulates a visitor who asks for a part, or for what has not changed', async () => {
    const { data } = await ask('POST', '/simulate', {
      website_id: site,
      ...{ address: '192.0.2.1', url: '/undo' },
      headers: [
        { name: 'If-Match', value: '"x"' },
        { name: 'Range', value: 'bytes=0-1' },
      ],
    })
    assert.equal(data?.decision, 'block')
  })

  it('serves websites without rules that were damaged, and applies them anew', async () => {
    const folder = join(host.rootPath, 'etc/nginx/hostreeve/access')
    const rules = (await readdir(folder)).find((name) => name.endsWith('.rules')) ?? ''
    const text = await readFile(join(folder, rules), 'utf8')
    await writeFile(join(folder, rules), text.slice(0, -10))
    await host.must(['systemctl', 'restart', 'nginx'])
    assert.equal(await statusOf('ada.example.com', '/undo'), 404)
    const { pending, ruleset_id } = await must('GET', `/pending?website_id=${site}`)
    assert.equal(pending, true)
    await apply(ruleset_id)
    assert.equal(await statusOf('ada.example.com', '/undo'), 403)
    assert.equal((await must('GET', `/pending?website_id=${site}`)).pending, false)
  })

  it('goes without a trace when the last ruleset is deleted and applied', async () => {
    const { rulesets } = await must('GET', `/rulesets?website_id=${site}`)
    for (const { id } of rulesets) await must('DELETE', `/rulesets/${id}?website_id=${site}`)
    const { ruleset_id } = await must('GET', `/pending?website_id=${site}`)
    await apply(ruleset_id)
    assert.equal(await statusOf('ada.example.com', '/admin'), 404)
    assert.doesNotMatch(await fileOf('ada.example.com'), /lua/)
    const left = await readdir(join(host.rootPath, 'etc/nginx/hostreeve/access'))
    assert.deepEqual(
      left.filter((name) => name.endsWith('.rules')),
      [],
    )
  })
})
