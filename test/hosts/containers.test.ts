import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { bootDocker, busybox, registry, startRegistry } from './story/docker.ts'
import { SignedIn } from './story/signed-in.ts'

const address = '10.77.0.11'

describe('containers on a real Docker Engine', () => {
  let host: Host
  let visitor: Host
  let panel: Panel
  let admin: SignedIn
  const docker = async (...args: readonly string[]) => (await host.must(['docker', ...args])).stdout.trim()
  const page = (port: number) =>
    visitor.request({ address, port }).then(
      ({ text }) => text.trim(),
      (error: Error) => error.message,
    )

  before(async () => {
    ;[host, visitor] = await Promise.all([
      bootDocker('engine', { addresses: [`${address}/24`] }),
      bootHost('visitor', { addresses: ['10.77.0.12/24'] }),
    ])
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(async () => {
    await host?.remove()
    await visitor?.remove()
  })

  it('creates a container that a second host reaches, and one that only this host reaches', async () => {
    const made = await admin.must('POST', '/api/containers/containers', {
      image: busybox,
      name: 'web',
      ports: ['8081:80', ' ', '127.0.0.1:8082:80'],
      env: ['COLOUR=dark blue'],
      volumes: ['pages:/data', '/srv/pages:/srv:ro'],
      restart_policy: 'unless-stopped',
    })
    assert.equal(made.id, await docker('inspect', '--format', '{{.Id}}', 'web'))
    assert.deepEqual(made.opened_ports, ['8081/tcp'])
    assert.equal(await page(8081), `page of ${busybox}`)
    assert.match(await page(8082), /ECONNREFUSED/)
    assert.equal(await docker('exec', 'web', 'sh', '-c', 'echo $COLOUR'), 'dark blue')
    assert.equal(
      await docker('inspect', '--format', '{{.HostConfig.RestartPolicy.Name}}', 'web'),
      'unless-stopped',
    )
  })

  it('pulls an image that is missing from its registry', async () => {
    await startRegistry(host, ['shop/app:1.0'])
    await admin.must('POST', '/api/containers/containers', { image: `${registry}/shop/app:1.0`, name: 'app' })
    assert.equal(await docker('inspect', '--format', '{{.State.Status}}', 'app'), 'running')
  })

  it('leaves nothing behind where a port is in use or an image is missing', async () => {
    const taken = await admin.ask('POST', '/api/containers/containers', {
      image: busybox,
      name: 'second',
      ports: ['8081:80'],
    })
    assert.equal(taken.status, 500)
    assert.match(taken.message, /port is already allocated/)
    const missing = await admin.ask('POST', '/api/containers/containers', {
      image: `${registry}/shop/app:9.9`,
      name: 'second',
    })
    assert.equal(missing.status, 500)
    assert.match(missing.message, /manifest unknown|not found/)
    assert.equal(await docker('ps', '--all', '--quiet', '--filter', 'name=second'), '')
  })
})
