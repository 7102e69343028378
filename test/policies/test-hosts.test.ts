import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as tools from '../../src/tools/index.ts'
import { basePackages, imagesInUse, packagesOf } from '../hosts/images.ts'
import { root } from './sources.ts'

test('the packages of tools on test hosts are those that the tools name, and no list repeats them', () => {
  const lines = readFileSync(`${root}test/hosts/base-packages.txt`, 'utf8').split('\n')
  for (const { name, packages } of Object.values(tools))
    for (const each of packages)
      assert.ok(!lines.includes(each), `base-packages.txt repeats ${each} of ${name}`)
  assert.ok(tools.nginx.packages.every((each) => basePackages().includes(each)))
  assert.deepEqual(packagesOf('haproxy'), tools.haproxy.packages)
})

test('an image is built for each tool that a suite names', () => {
  assert.ok(imagesInUse().includes('haproxy'))
  assert.equal(imagesInUse()[0], 'base')
})
