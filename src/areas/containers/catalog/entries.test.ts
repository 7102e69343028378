import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { apps, categories, stacks } from './entries.ts'
import { CatalogApp, CatalogStack, type CatalogPart } from './model.ts'
import { secretsIn } from './templates.ts'

interface Running extends Pick<
  CatalogPart,
  'image' | 'ports' | 'env' | 'volumes' | 'health_check' | 'memory_mb'
> {
  readonly of: string
}

/** Every container that the catalog can launch. */
const running: readonly Running[] = [
  ...apps.map((app) => ({ ...app, of: app.id })),
  ...stacks.flatMap(({ id, services }) =>
    services.map((service) => ({ ...service, of: `${id}/${service.key}` })),
  ),
]

/** Asserts something of every container, and names those of which it is false. */
function assertAll(title: string, isRight: (entry: Running) => boolean): void {
  it(title, () =>
    assert.deepEqual(
      running.filter((entry) => !isRight(entry)).map(({ of }) => of),
      [],
    ),
  )
}

const isUnique = (values: readonly string[]) => new Set(values).size === values.length
const hostPort = (port: string) => /(\d+):\d+(?:\/(\w+))?$/.exec(port)

describe('the catalog', () => {
  it('has at least 40 apps and 12 stacks, some in each category', () => {
    assert.ok(apps.length >= 40, `${apps.length} apps`)
    assert.ok(stacks.length >= 12, `${stacks.length} stacks`)
    for (const category of categories)
      for (const entries of [apps, stacks])
        assert.ok(
          entries.some((entry) => entry.category === category),
          category,
        )
  })

  it('keeps its schema', () => {
    for (const app of apps) assert.deepEqual([...Value.Errors(CatalogApp, app)], [], app.id)
    for (const stack of stacks) assert.deepEqual([...Value.Errors(CatalogStack, stack)], [], stack.id)
  })

  it('has unique ids, keys, aliases and names', () => {
    assert.ok(isUnique(apps.map(({ id }) => id)))
    assert.ok(isUnique(apps.map(({ name }) => name)))
    assert.ok(isUnique(stacks.map(({ id }) => id)))
    for (const { id, services } of stacks) {
      assert.ok(isUnique(services.map(({ key }) => key)), id)
      assert.ok(isUnique(services.map((service) => service.network_alias)), id)
    }
  })

  it('publishes each port of the host once, so that any two entries run side by side', () => {
    const taken = running.flatMap(({ ports }) =>
      ports.map((port) => `${hostPort(port)?.[1]}/${hostPort(port)?.[2] ?? 'tcp'}`),
    )
    const twice = taken.filter((port, index) => taken.indexOf(port) !== index)
    // the two web interfaces of WordPress and Joomla are off by default
    assert.deepEqual(twice, ['8481/tcp'])
  })

  it('has stacks of at least two services, of which one is on and used from outside', () => {
    for (const { id, services } of stacks) {
      assert.ok(services.length >= 2, id)
      assert.ok(
        services.some((service) => service.standalone && !service.default_off),
        id,
      )
    }
  })
})

describe('each container of the catalog', () => {
  assertAll(
    'has an image with a pinned tag',
    ({ image }) =>
      /^[a-z0-9./_-]+:[A-Za-z0-9._-]*\d[A-Za-z0-9._-]*$/.test(image) && !image.includes('latest'),
  )
  assertAll(
    'is checked for its health and has a limit of memory',
    ({ health_check, memory_mb }) => health_check.length > 0 && memory_mb >= 64,
  )
  assertAll('has ports in the form of the contract', ({ ports }) =>
    ports.every((port) => /^(?:\d+\.\d+\.\d+\.\d+:)?\d+:\d+(?:\/udp)?$/.test(port)),
  )
  assertAll(
    'publishes databases on this host only',
    ({ image, ports }) =>
      !/^(?:mariadb|mysql|postgres|redis|mongo|valkey\/valkey|memcached):/.test(image) ||
      ports.every((port) => port.startsWith('127.0.0.1:')),
  )
  assertAll('has an environment in the form of the contract', ({ env }) =>
    env.every((entry) => /^[A-Za-z_][A-Za-z0-9_]*=[^\n]+$/.test(entry)),
  )
  assertAll('has each variable once', ({ env }) => isUnique(env.map((entry) => entry.split('=')[0] ?? '')))
  assertAll('has no password that is the same on every host', ({ env }) =>
    env
      .filter((entry) => /^[^=]*(?:PASSWORD|SECRET|TOKEN|PASSWD)[^=]*=/.test(entry))
      .every((entry) => secretsIn([entry]).length > 0),
  )
  assertAll('names its volumes after the instance', ({ volumes }) =>
    volumes.every((volume) =>
      /^(?:\{\{name\}\}-[a-z0-9-]+|\/srv\/\{\{name\}\}\/[a-z]+):\/[^:]+(?::ro)?$/.test(volume),
    ),
  )
  assertAll('needs no privilege of the host', ({ volumes }) =>
    volumes.every((volume) => !volume.includes('docker.sock') && !volume.startsWith('/:')),
  )
})
