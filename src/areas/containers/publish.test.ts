import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Asked, openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { insertRow } from '../../store/rows.ts'
import { type StandInEngine, standInEngine } from '../../tools/docker/testing/stand-in-engine.ts'

describe('the publication of a container', () => {
  let panel: TestPanel
  let engine: StandInEngine
  let keeper: Person
  before(async () => {
    engine = standInEngine()
    engine.images.set('nginx:1', {})
    const host = ([program]: readonly string[]) => {
      if (program === 'dockerd') return { stdout: 'Docker version 20.10.24+dfsg1\n' }
      return program === 'find' ? { code: 1 } : undefined
    }
    panel = await openTestPanel({
      docker: { connection: engine.connection },
      hasNginx: true,
      environment: { HOSTREEVE_MAX_WEBSITES: '2' },
      accounts: new Map([['ada', { uid: 1001 }]]),
      scripts: [host],
    })
    await panel.start()
    keeper = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    await addWebsite(panel, { domain: 'taken.example.com', userId: keeper.id, username: 'ada' })
    const create = (name: string, ports: readonly string[]) =>
      panel.request('POST', '/api/containers/containers', {
        as: panel.admin,
        body: { image: 'nginx:1', name, ports },
      })
    await create('web', ['8080:80', '8053:53/udp'])
    await create('many', ['127.0.0.1:8081:80', '8443:443'])
    await create('quiet', [])
    await create('ended', ['127.0.0.1:8082:80'])
    await panel.request('POST', '/api/containers/containers/ended/stop', { as: panel.admin })
  })
  after(() => panel.close())

  const publish = (id: string, body: object, asked: Asked = {}, query = '?plan=1') =>
    panel.request('POST', `/api/containers/containers/${id}/publish${query}`, {
      as: panel.admin,
      body: { username: 'ada', certificate: 'self_signed', ...body },
      ...asked,
    })
  const domain = 'shop.example.com'
  const titlesOf = ({ data }: { data: any }) => data.steps.map(({ title }: { title: string }) => title)

  test('puts a website and its certificate in front of a port of loopback, and leaves the container', async () => {
    const titles = titlesOf(await publish('many', { domain, port: 80 }))
    assert.doesNotMatch(titles.join('\n'), /container/)
    assert.match(titles.join('\n'), /certificates\/.*\.pem/)
  })

  test('replaces a container that others than this host reach', async () => {
    const plan = await publish('web', { domain })
    const titles = titlesOf(plan).join('\n')
    assert.match(titles, /Stop the container.*Create the container web.*Start the container web/s)
    assert.match(JSON.stringify(plan.data), /127\.0\.0\.1:8080:80\/tcp, 8053:53\/udp/)
  })

  test('orders the certificate once the website is served', async () => {
    const titles: string[] = titlesOf(await publish('many', { domain, port: 80, certificate: 'acme' }))
    const order = titles.findIndex((title) => title === `Order a certificate for ${domain}`)
    assert.ok(order > 0 && order < titles.length - 1, titles.join('\n'))
  })

  test('obeys the access rules of its owner before and after it has its certificate', async () => {
    const rules = insertRow('website_access', {
      user_id: keeper.id,
      digest: '0123456789abcdef',
      is_closed: 0,
    })
    await panel.store.transaction((tx) => panel.store.write(tx, [rules]))
    const { text } = await publish('many', { domain, port: 80, certificate: 'acme' })
    assert.equal(text.match(/server_rewrite_by_lua_block/g)?.length, 2, text)
    await panel.store.db.deleteFrom('website_access').execute()
  })

  test('is refused with the field that is wrong, and for other users', async () => {
    const cases: readonly (readonly [string, object, number, string, RegExp])[] = [
      ['many', { domain }, 400, 'bad_request', /^port: is required.*80, 443/],
      ['many', { domain, port: 8081 }, 400, 'bad_request', /^port: many does not publish the TCP port 8081/],
      ['web', { domain, port: 53 }, 400, 'bad_request', /^port: .*publishes 80/],
      ['quiet', { domain }, 400, 'bad_request', /^port: .*it publishes none/],
      ['many', { domain, port: 0 }, 400, 'bad_request', /port/],
      ['many', { domain, port: 70_000 }, 400, 'bad_request', /port/],
      ['web', { domain: 'taken.example.com' }, 400, 'bad_request', /^domain: taken\.example\.com/],
      ['web', { domain: '-v' }, 400, 'bad_request', /domain/],
      ['web', { domain: '../etc' }, 400, 'bad_request', /domain/],
      ['web', { domain, username: 'nobody' }, 400, 'bad_request', /^username: /],
      ['web', { domain, certificate: 'none' }, 400, 'bad_request', /certificate/],
      ['ended', { domain }, 409, 'conflict', /does not run/],
      ['none', { domain }, 404, 'not_found', /none/],
    ]
    for (const [id, body, status, code, message] of cases) {
      const answer = await publish(id, body)
      assert.deepEqual([answer.status, answer.error?.code], [status, code], `${id} ${JSON.stringify(body)}`)
      assert.match(answer.error?.message ?? '', message)
    }
    assert.equal((await publish('web', { domain }, { as: keeper })).status, 403)
  })

  test('is refused where no further website is allowed', async () => {
    await addWebsite(panel, { domain: 'last.example.com', userId: keeper.id, username: 'ada' })
    const { status, error } = await publish('web', { domain })
    assert.deepEqual([status, error?.code], [403, 'license_limit'])
  })
})
