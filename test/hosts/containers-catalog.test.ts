import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { mirrorRegistry, pushCatalogImages } from './story/catalog-images.ts'
import { importBusybox, startEngine } from './story/docker.ts'
import { SignedIn } from './story/signed-in.ts'

const address = '10.77.1.11'

interface Credential {
  readonly service: string
  readonly variable: string
  readonly value: string
}

describe('the catalog on a real Docker Engine', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  const docker = async (...args: readonly string[]) => (await host.must(['docker', ...args])).stdout.trim()
  const shell = async (text: string) => (await host.must(['bash', '-c', text])).stdout.trim()
  const redis = (port: number, password: string, ...args: readonly string[]) =>
    host
      .must(['redis-cli', '-p', String(port), '--no-auth-warning', '-a', password, ...args])
      .then(({ stdout }) => stdout.trim())
  const valueOf = (credentials: readonly Credential[], service: string) =>
    credentials.find((credential) => credential.service === service)?.value ?? assert.fail(service)

  before(async () => {
    host = await bootHost('catalog', { image: 'docker', addresses: [`${address}/24`] })
    await mirrorRegistry(host)
    await startEngine(host)
    await pushCatalogImages(host)
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(async () => void (await host?.remove()))

  it('launches three apps that answer, and shows their generated secrets once', async () => {
    const launch = (app_id: string, more: object = {}) =>
      admin.must('POST', '/api/containers/catalog/launch', { app_id, ...more })
    const [web, cache, objects] = await Promise.all([
      launch('nginx', { name: 'web' }),
      launch('redis'),
      launch('memcached', { ports: ['127.0.0.1:11311:11211'] }),
    ])

    assert.equal(web.id, await docker('inspect', '--format', '{{.Id}}', 'web'))
    assert.deepEqual(
      [web.name, web.opened_ports, web.credentials, web.ports],
      ['web', ['8080/tcp'], [], ['8080:80']],
    )
    assert.equal(await shell(`curl -sf http://${address}:8080/`), 'page of nginx')
    // the engine drops limits of memory where the kernel of the host has none
    const hasLimits = (await docker('info', '--format', '{{.MemoryLimit}}')) === 'true'
    assert.equal(
      await docker('inspect', '--format', '{{.HostConfig.RestartPolicy.Name}} {{.HostConfig.Memory}}', 'web'),
      `unless-stopped ${hasLimits ? 128 * 1024 * 1024 : 0}`,
    )

    assert.deepEqual(cache.opened_ports, [])
    const password = valueOf(cache.credentials, 'redis')
    assert.match(password, /^[A-Za-z0-9]{32}$/)
    assert.equal(await redis(6380, password, 'set', 'colour', 'blue'), 'OK')
    assert.match(await redis(6380, 'wrong', 'get', 'colour'), /NOAUTH|WRONGPASS|^$/)
    assert.doesNotMatch(await shell('ps -eo args'), new RegExp(password))

    assert.deepEqual(objects.ports, ['127.0.0.1:11311:11211'])
    assert.match(await shell('printf "stats\\nquit\\n" | timeout 10 busybox nc 127.0.0.1 11311'), /STAT pid/)
  })

  it('refuses a name that is taken, and leaves nothing where an image or a port cannot be had', async () => {
    const taken = await admin.ask('POST', '/api/containers/catalog/launch', { app_id: 'redis' })
    assert.equal(taken.status, 409)
    assert.equal(taken.code, 'name_taken')
    const missing = await admin.ask('POST', '/api/containers/catalog/launch', { app_id: 'caddy' })
    assert.equal(missing.status, 500)
    assert.match(missing.message, /registry-1\.docker\.io/)
    const busy = await admin.ask('POST', '/api/containers/catalog/launch', {
      app_id: 'nginx',
      name: 'second',
      ports: ['8080:80'],
    })
    assert.equal(busy.status, 500)
    assert.match(busy.message, /port is already allocated/)
    assert.doesNotMatch(await docker('ps', '--all', '--format', '{{.Names}}'), /second|caddy/)
    assert.doesNotMatch(await docker('volume', 'ls', '--quiet'), /second|caddy/)
  })

  it('launches a stack in order on a network of its own, whose parts reach each other', async () => {
    const data = await admin.must('POST', '/api/containers/stacks/launch', {
      stack_id: 'redis-replica',
      name: 'pair',
    })
    const names = data.services.map(({ name }: { readonly name: string }) => name)
    assert.deepEqual(names, ['pair-primary', 'pair-replica'])
    const password = valueOf(data.credentials, 'pair-primary')
    assert.equal(password, valueOf(data.credentials, 'pair-replica'))
    assert.equal(await redis(6382, password, 'set', 'shape', 'round'), 'OK')
    assert.equal(await redis(6382, password, 'wait', '1', '60000'), '1')
    assert.equal(await redis(6383, password, 'get', 'shape'), 'round')
    assert.match(await docker('network', 'inspect', '--format', '{{.Driver}}', 'pair'), /bridge/)

    const stacks = await admin.must('GET', '/api/containers/stacks')
    assert.deepEqual(
      stacks.map((stack: { readonly instance: string; readonly state: string }) => [
        stack.instance,
        stack.state,
      ]),
      [['pair', 'running']],
    )
  })

  it('stops, starts and removes a stack; its volumes stay until they are asked for', async () => {
    const act = (action: string, body: object = {}) =>
      admin.must('POST', `/api/containers/stacks/pair/${action}`, body)
    await act('stop')
    assert.equal(await docker('ps', '--quiet', '--filter', 'label=hostreeve.stack=pair'), '')
    const stopped = await admin.must('GET', '/api/containers/stacks')
    assert.equal(stopped[0].state, 'stopped')
    await act('start')
    assert.equal(await docker('exec', 'pair-replica', 'redis-cli', 'get', 'shape'), 'round')
    await act('remove', { volumes: true })
    assert.equal(await docker('ps', '--all', '--quiet', '--filter', 'label=hostreeve.stack=pair'), '')
    assert.doesNotMatch(await docker('network', 'ls', '--format', '{{.Name}}'), /pair/)
    assert.doesNotMatch(await docker('volume', 'ls', '--quiet'), /pair/)
    assert.equal((await admin.ask('POST', '/api/containers/stacks/pair/start', {})).status, 404)
  })

  it('removes a stack as a whole if a part of it does not come up', async () => {
    const failed = await admin.ask('POST', '/api/containers/stacks/launch', {
      stack_id: 'prometheus-grafana',
      name: 'graphs',
    })
    assert.equal(failed.status, 500)
    assert.equal(failed.code, 'container_error')
    assert.match(failed.message, /graphs-grafana does not keep running/)
    assert.equal(await docker('ps', '--all', '--quiet', '--filter', 'name=graphs'), '')
    assert.doesNotMatch(await docker('network', 'ls', '--format', '{{.Name}}'), /graphs/)
    assert.doesNotMatch(await docker('volume', 'ls', '--quiet'), /graphs/)
    assert.equal(await docker('images', '--quiet', 'grafana/grafana'), '')
  })

  it('pulls an image with the progress of its layers, and removes it unless a container uses it', async () => {
    const { bytes } = await admin.ask('POST', '/api/containers/images/pull', {
      image: 'prom/prometheus:v3.3.0',
    })
    assert.match(bytes.toString(), /"type":"progress"[\s\S]*"type":"done"/)
    const images = await admin.must('GET', '/api/containers/images')
    const found = (tag: string) =>
      images.find(({ tags }: { readonly tags: readonly string[] }) => tags.includes(tag)) ?? assert.fail(tag)
    assert.deepEqual(found('prom/prometheus:v3.3.0').containers, [])
    assert.deepEqual(found('nginx:1.27.5-alpine').containers, ['web'])

    const used = await admin.ask(
      'DELETE',
      `/api/containers/images/${encodeURIComponent('nginx:1.27.5-alpine')}`,
    )
    assert.deepEqual([used.status, used.code], [409, 'image_in_use'])
    assert.match(used.message, /web/)
    await admin.must(
      'DELETE',
      `/api/containers/images/${encodeURIComponent(found('prom/prometheus:v3.3.0').id)}`,
    )
    assert.equal(await docker('images', '--quiet', 'prom/prometheus'), '')
  })

  it('cleans up what nothing uses, as its plan says, and spares backups', async () => {
    await importBusybox(host, 'old/shop:1')
    await importBusybox(host, 'saved/shop:1', ['LABEL hostreeve.backup=1'])
    await docker('volume', 'create', 'left')
    const asked = { images: 'unused', volumes: true }
    const plan = await admin.must('POST', '/api/containers/prune?plan=1', asked)
    assert.match(JSON.stringify(plan), /image old\/shop:1/)
    assert.match(JSON.stringify(plan), /volume left/)
    assert.doesNotMatch(JSON.stringify(plan), /saved|nginx|web-html/)
    assert.notEqual(await docker('images', '--quiet', 'old/shop'), '')
    const data = await admin.must('POST', '/api/containers/prune', asked)
    assert.ok(data.freed_bytes > 0)
    assert.equal(await docker('images', '--quiet', 'old/shop'), '')
    assert.notEqual(await docker('images', '--quiet', 'saved/shop'), '')
    assert.match(await docker('volume', 'ls', '--quiet'), /^web-html$/m)
    assert.doesNotMatch(await docker('volume', 'ls', '--quiet'), /^left$/m)
  })
})
