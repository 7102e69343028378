import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { missingFrom } from './complete-lock.ts'

it('the lock names every optional package of every platform, without which npm ci refuses it', () => {
  const lock = JSON.parse(
    readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
  ) as Parameters<typeof missingFrom>[0]
  assert.deepEqual(missingFrom(lock), [])
})

it('a package that is left out is found, with the platform that its name tells', () => {
  const lock = {
    packages: {
      'node_modules/tool': { dev: true, optionalDependencies: { '@tool/linux-x64-musl': '1.2.3' } },
    },
  }
  assert.deepEqual(missingFrom(lock), [
    {
      name: '@tool/linux-x64-musl',
      version: '1.2.3',
      isDev: true,
      platform: { cpu: ['x64'], os: ['linux'], libc: ['musl'] },
    },
  ])
})
