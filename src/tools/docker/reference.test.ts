import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseReference, parseRegistry, registryOf } from './reference.ts'
import { authHeader } from './registry-auth.ts'

test('the registry of an image is the host that its name begins with, or that of Docker', () => {
  const cases: readonly (readonly [image: string, registry: string])[] = [
    ['nginx', 'docker.io'],
    ['nginx:1.27', 'docker.io'],
    ['team/app:1', 'docker.io'],
    ['docker.io/library/nginx', 'docker.io'],
    ['index.docker.io/team/app', 'docker.io'],
    ['registry.example.com/team/app:3', 'registry.example.com'],
    ['Registry.Example.com:5000/app', 'registry.example.com:5000'],
    ['127.0.0.1:5000/app@sha256:'.concat('a'.repeat(64)), '127.0.0.1:5000'],
    ['localhost/app', 'localhost'],
  ]
  for (const [image, registry] of cases) {
    const reference = parseReference(image) ?? assert.fail(image)
    assert.equal(registryOf(reference), registry, image)
  }
})

test('a registry is a host that images can name', () => {
  assert.equal(parseRegistry('Registry.Example.com:443'), 'registry.example.com:443')
  assert.equal(parseRegistry('registry-1.docker.io'), 'docker.io')
  for (const text of [
    '',
    'team',
    '-a.example.com',
    'a..example.com',
    'a.example.com.',
    'a.example.com/',
    'a.example.com:0',
    'a.example.com:70000',
  ])
    assert.equal(parseRegistry(text), undefined, text)
})

test('credentials are encoded as Go decodes them: with the alphabet of URLs, and with padding', () => {
  const encoded = authHeader({ registry: 'docker.io', username: 'ada', password: '>>>???~~~' })[
    'X-Registry-Auth'
  ]
  assert.match(encoded ?? '', /^[A-Za-z0-9_-]+={0,2}$/)
  assert.equal((encoded ?? '').length % 4, 0)
  assert.deepEqual(JSON.parse(Buffer.from(encoded ?? '', 'base64url').toString()), {
    username: 'ada',
    password: '>>>???~~~',
    serveraddress: 'https://index.docker.io/v1/',
  })
})
