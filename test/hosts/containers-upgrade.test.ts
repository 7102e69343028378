import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { bootDocker, busybox, importBusybox, registry, startRegistry } from './story/docker.ts'
import { command, pebbleEnvironment, startPebble } from './story/pebble.ts'
import { SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'

/** Ends a wait that never comes to its end. */
const limitMs = 180_000
const address = '10.77.0.11'
const domain = 'shop.example.com'
const shop = (tag: string) => `${registry}/shop/app:${tag}`

describe('upgrades and publications of containers', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  const docker = async (...args: readonly string[]) => (await host.must(['docker', ...args])).stdout.trim()
  const shown = (name: string, format: string) => docker('inspect', '--format', format, name)
  const upgrade = (id: string, image: string) =>
    admin.ask('POST', `/api/containers/containers/${id}/upgrade`, { image })

  before(async () => {
    host = await bootDocker('upgrades', { addresses: [`${address}/24`] })
    await startRegistry(host, ['shop/app:1', 'shop/app:2'])
    // a version that changes the content of its volume, and then does not work
    const failing = 'CMD ["sh","-c","rm -f /data/row; echo new > /data/other; echo out of order; exit 3"]'
    await importBusybox(host, shop('3'), [failing])
    await docker('push', '--quiet', shop('3'))
    await docker('rmi', shop('3'))
    await startPebble(host, { address })
    panel = await startPanel(host, { env: pebbleEnvironment })
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    await admin.makeOwner('ada')
  })
  after(async () => void (await host?.remove()))

  it('keeps a row that was written before through an edit, a backup, a clone, an upgrade and a rollback', async () => {
    const health = ['--health-cmd', 'wget -qO- http://127.0.0.1/', '--health-interval', '1s']
    const run = ['run', '-d', '--name', 'shop', '-p', '8081:80', '-v', 'rows:/data', '-e', 'A_TOKEN=first']
    await docker(...run, '--label', 'team=shop', ...health, shop('1'))
    await docker('exec', 'shop', 'sh', '-c', 'echo before > /data/row')
    const row = (name: string) => docker('exec', name, 'cat', '/data/row')

    await admin.must('PUT', '/api/containers/containers/shop', {
      image: shop('1'),
      ports: ['8081:80'],
      env: ['A_TOKEN=••••••••'],
      volumes: ['rows:/data'],
    })
    assert.equal(await row('shop'), 'before')
    assert.equal(
      await shown('shop', '{{index .Config.Labels "team"}} {{.State.Health.Status}}'),
      'shop healthy',
    )
    await admin.must('POST', '/api/containers/containers/shop/backup')
    await admin.must('POST', '/api/containers/containers/shop/clone', { name: 'copy' })
    assert.equal(await row('copy'), 'before')

    const done = await upgrade('shop', shop('2'))
    assert.equal(done.status, 200, done.message)
    assert.deepEqual([done.data.image, done.data.former_image], [shop('2'), shop('1')])
    assert.equal(await shown('shop', '{{.Config.Image}} {{.State.Health.Status}}'), `${shop('2')} healthy`)
    assert.equal(await row('shop'), 'before')
    assert.equal(await docker('exec', 'shop', 'sh', '-c', 'echo $A_TOKEN'), 'first')

    const id = await shown('shop', '{{.Id}}')
    const failed = await upgrade('shop', shop('3'))
    assert.deepEqual([failed.status, failed.code], [500, 'container_error'], failed.message)
    assert.match(failed.message, /exit (?:code|status) 3|does not keep running/)
    assert.equal(await shown('shop', '{{.Id}} {{.State.Status}}'), `${id} running`)
    assert.equal(await row('shop'), 'before', 'what the new version removed is there again')
    assert.equal(await docker('exec', 'shop', 'ls', '/data'), 'row', 'and what it wrote is gone')
    assert.equal(await docker('images', '--quiet', shop('3')), '')

    const { backup } = done.data
    await admin.must('POST', '/api/containers/backups/restore', {
      image: backup.image,
      folder: backup.folder,
      name: 'restored',
      ports: [],
    })
    assert.equal(await row('restored'), 'before')
  })

  it('changes nothing where the new image or its registry cannot be reached', async () => {
    const before = await docker('ps', '--all', '--no-trunc', '--format', '{{.ID}} {{.Names}}')
    const missing = await upgrade('shop', shop('9'))
    assert.deepEqual([missing.status, missing.code], [500, 'container_error'])
    assert.match(missing.message, /manifest unknown|not found/)
    const unreachable = await upgrade('shop', '127.0.0.1:5999/shop/app:2')
    assert.equal(unreachable.status, 500)
    assert.match(unreachable.message, /connection refused/)
    const launch = await admin.ask('POST', '/api/containers/containers', {
      image: '127.0.0.1:5999/shop/app:2',
      name: 'second',
    })
    assert.match(launch.message, /connection refused/)
    assert.equal(await docker('ps', '--all', '--no-trunc', '--format', '{{.ID}} {{.Names}}'), before)
  })

  it('upgrades a stack as a whole, and lets the former one run again where one service does not work', async () => {
    const service = (key: string, order: string) =>
      [
        ...['--label', 'hostreeve.catalog=redis-replica', '--label', 'hostreeve.stack=pair'],
        ...['--label', `hostreeve.stack.service=${key}`, '--label', `hostreeve.stack.order=${order}`],
        ...['--network', 'pair', '--network-alias', key, '-v', `pair-${key}:/data`, '--name', `pair-${key}`],
      ] as const
    await docker('network', 'create', 'pair')
    await docker('run', '-d', ...service('primary', '0'), shop('1'))
    await docker('run', '-d', ...service('replica', '1'), shop('1'))
    await docker('exec', 'pair-primary', 'sh', '-c', 'echo before > /data/row')
    const to = (primary: string, replica: string) =>
      admin.ask('POST', '/api/containers/stacks/pair/upgrade', {
        services: [
          { key: 'primary', image: shop(primary) },
          { key: 'replica', image: shop(replica) },
        ],
      })
    const images = async () =>
      [
        await shown('pair-primary', '{{.Config.Image}}'),
        await shown('pair-replica', '{{.Config.Image}}'),
      ].map((image) => image.split(':').at(-1))
    const failed = await to('2', '3')
    assert.equal(failed.code, 'container_error', failed.message)
    assert.deepEqual(await images(), ['1', '1'])
    assert.equal((await to('2', '2')).status, 200)
    assert.deepEqual(await images(), ['2', '2'])
    assert.equal(await docker('exec', 'pair-primary', 'cat', '/data/row'), 'before')
    assert.match(
      await docker('exec', 'pair-replica', 'wget', '-qO-', 'http://primary/'),
      /page of .*shop\/app:2/,
    )
    const [stack] = await admin.must('GET', '/api/containers/stacks')
    assert.deepEqual([stack.state, stack.services.length], ['running', 2])
    await admin.must('POST', '/api/containers/stacks/pair/remove', { volumes: true })
    assert.equal(await docker('ps', '--all', '--quiet', '--filter', 'label=hostreeve.stack=pair'), '')
  })

  it('serves the page of a container under a domain through nginx, and closes its port to others', async () => {
    const publish = (body: object) =>
      admin.ask('POST', '/api/containers/containers/shop/publish', { domain, username: 'ada', ...body })
    const before = await shown('shop', '{{.Id}}')
    // the authority finds another host under the name: nothing of the website stays, and the container runs
    const elsewhere = { host: 'elsewhere.example.com', addresses: ['192.0.2.99'] }
    await command(host, 'http://127.0.0.1:8055/add-a', elsewhere)
    const refused = await publish({ domain: elsewhere.host })
    assert.deepEqual([refused.status, refused.code], [502, 'acme_failed'], refused.message)
    assert.match(refused.message, /elsewhere\.example\.com/)
    assert.equal(await shown('shop', '{{.Id}} {{.State.Status}}'), `${before} running`)
    assert.deepEqual((await admin.must('GET', '/api/websites')).items, [])

    const done = await publish({})
    assert.equal(done.status, 200, done.message)
    assert.equal(done.data.upstream, 'http://127.0.0.1:8081')
    assert.match(done.data.certificate.issuer, /Pebble/)
    assert.equal(done.data.id, await shown('shop', '{{.Id}}'))
    assert.equal(await docker('port', 'shop'), '80/tcp -> 127.0.0.1:8081')
    assert.match((await visit(host, domain)).text, /page of .*shop\/app:2/)
    const own = await publish({ domain: 'own.example.com', certificate: 'self_signed' })
    assert.deepEqual([own.status, own.data.id], [200, done.data.id], own.message)
    assert.match((await visit(host, 'own.example.com')).text, /page of .*shop\/app:2/)
    const overTls = await host.must([
      'curl',
      '-sk',
      '--resolve',
      `${domain}:443:127.0.0.1`,
      `https://${domain}/`,
    ])
    assert.match(overTls.stdout, /page of .*shop\/app:2/)
    assert.equal(await docker('exec', 'shop', 'cat', '/data/row'), 'before')

    const taken = await publish({ certificate: 'self_signed' })
    assert.deepEqual([taken.status, taken.code], [400, 'bad_request'])
    assert.match(taken.message, /^domain: shop\.example\.com belongs to another website/)
    const closed = await publish({ domain: 'other.example.com', port: 8081, certificate: 'self_signed' })
    assert.match(closed.message, /^port: shop does not publish the TCP port 8081: it publishes 80/)
  })

  it('lets the former container run where the panel is killed during an edit, and leaves nothing of a launch', async () => {
    const killedAt = async (asked: Promise<unknown>, what: string, isThere: () => Promise<boolean>) => {
      const ended = asked.catch(() => undefined) // its connection breaks
      await poll(what, limitMs, async () => (await isThere()) || undefined)
      await panel.kill9()
      await ended
      await panel.start()
      admin = await SignedIn.as(panel)
    }
    const names = () => docker('ps', '--all', '--format', '{{.Names}}')
    // both wait for containers that are neither healthy nor ended
    const health = [
      '--health-cmd',
      'test -e /tmp/ready',
      '--health-interval',
      '1s',
      '--health-start-period',
      '300s',
    ]
    await docker('run', '-d', '--name', 'slow', ...health, '-v', 'slow:/data', busybox)
    const former = await shown('slow', '{{.Id}}')
    const draft = { image: busybox, volumes: ['slow:/data'], env: ['MORE=yes'] }
    const edit = admin.ask('PUT', '/api/containers/containers/slow', draft)
    await killedAt(edit, 'the new container', async () => {
      const { code, stdout } = await host.exec([
        'docker',
        'inspect',
        '--format',
        '{{.Id}} {{.State.Status}}',
        'slow',
      ])
      return code === 0 && !stdout.startsWith(former) && stdout.trim().endsWith('running')
    })
    await poll('the former container to run', limitMs, async () => {
      const { stdout } = await host.exec([
        'docker',
        'inspect',
        '--format',
        '{{.Id}} {{.State.Status}}',
        'slow',
      ])
      return stdout.trim() === `${former} running` || undefined
    })
    assert.doesNotMatch(await names(), /slow\.replaced/)

    await importBusybox(host, 'nginx:1.27.5-alpine', ['CMD ["sleep","1000"]'])
    const launch = admin.ask('POST', '/api/containers/catalog/launch', { app_id: 'nginx', name: 'launched' })
    await killedAt(launch, 'the launched container', async () => (await names()).includes('launched'))
    await poll(
      'the launch to be undone',
      limitMs,
      async () => !(await names()).includes('launched') || undefined,
    )
    assert.doesNotMatch(await docker('volume', 'ls', '--quiet'), /launched/)
  })
})
