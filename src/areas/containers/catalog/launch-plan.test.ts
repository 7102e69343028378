import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { appOf, stackOf } from './catalog.ts'
import { apps, stacks } from './entries.ts'
import { generateSecrets } from './generate.ts'
import { imagesOf, planApp, planStack, volumesOf } from './launch-plan.ts'
import { secretsIn } from './templates.ts'

const request = { name: 'cache', secrets: { password: 's3cret' }, ports: {} }

describe('the plan of an app', () => {
  it('has a container with its limits, its health check and the restart policy unless-stopped', () => {
    const plan = planApp(appOf('redis'), request)
    const [{ spec, credentials, ports } = assert.fail()] = plan.containers
    assert.equal(plan.network, undefined)
    assert.deepEqual(
      { ...spec, command: undefined, healthCheck: spec.healthCheck?.test },
      {
        name: 'cache',
        image: 'redis:7.4.3-alpine',
        env: ['REDISCLI_AUTH=s3cret'],
        command: undefined,
        ports: [{ ip: '127.0.0.1', host: 6380, container: 6379, protocol: 'tcp' }],
        volumes: [{ source: 'cache-data', target: '/data', isReadOnly: false }],
        restartPolicy: 'unless-stopped',
        network: 'bridge',
        memoryBytes: 512 * 1024 * 1024,
        healthCheck: ['CMD-SHELL', 'redis-cli ping | grep -q PONG'],
        labels: { 'hostreeve.catalog': 'redis' },
      },
    )
    assert.deepEqual(credentials, [{ service: 'cache', variable: 'REDISCLI_AUTH', value: 's3cret' }])
    assert.deepEqual(ports, ['127.0.0.1:6380:6379'])
  })

  it('publishes the ports of the caller instead of those of the catalog, without blank ones', () => {
    const plan = planApp(appOf('redis'), { ...request, ports: { redis: [' 7000:6379 ', ''] } })
    assert.deepEqual(plan.containers[0]?.ports, ['7000:6379'])
    assert.deepEqual(plan.containers[0]?.spec.ports, [
      { ip: '', host: 7000, container: 6379, protocol: 'tcp' },
    ])
  })

  it('keeps the passwords out of the command, which lists of processes show', () => {
    for (const app of apps) {
      const secrets = generateSecrets(secretsIn(app.env))
      const [{ spec } = assert.fail()] = planApp(app, { ...request, secrets }).containers
      for (const value of Object.values(secrets))
        assert.doesNotMatch(spec.command.join(' '), new RegExp(value.replaceAll('+', '\\+')), app.id)
    }
  })
})

describe('the plan of a stack', () => {
  const redis = stackOf('redis-replica')

  it('has its containers in order on a network of their own, with the same secret', () => {
    const plan = planStack(redis, redis.services, request)
    assert.equal(plan.network, 'cache')
    assert.deepEqual(
      plan.containers.map(({ spec }) => [spec.name, spec.network, spec.aliases, spec.env]),
      [
        ['cache-primary', 'cache', ['primary'], ['REDISCLI_AUTH=s3cret']],
        ['cache-replica', 'cache', ['replica'], ['REDISCLI_AUTH=s3cret']],
      ],
    )
    assert.deepEqual(plan.containers[1]?.spec.labels, {
      'hostreeve.catalog': 'redis-replica',
      'hostreeve.stack': 'cache',
      'hostreeve.stack.service': 'replica',
      'hostreeve.stack.order': '1',
    })
    assert.deepEqual(imagesOf(plan), ['redis:7.4.3-alpine'])
    assert.deepEqual(volumesOf(plan), ['cache-primary', 'cache-replica'])
  })

  it('is complete for every stack: no template is left', () => {
    for (const stack of stacks) {
      const secrets = generateSecrets(secretsIn(stack.services.flatMap(({ env }) => env)))
      const plan = planStack(stack, stack.services, { ...request, secrets })
      assert.doesNotMatch(JSON.stringify(plan), /\{\{/, stack.id)
    }
  })
})
