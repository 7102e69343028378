import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { scratchRoot } from '../../../test/support/step-suite.ts'
import { openHost } from '../../host/index.ts'
import { newerKernel } from './newer-kernel.ts'

const running = '6.1.0-9-amd64'

test('finds a kernel that waits for a restart, of the flavour that runs', async (t) => {
  const root = scratchRoot(t)
  const { files, machine } = openHost({ root })
  let uptime = -1 // the files are older, also by a fraction of a millisecond
  const kernel = () => ({ ...machine.kernel(), kernel: `Linux ${running}`, uptime_seconds: uptime })
  const find = () => newerKernel({ files, machine: { ...machine, kernel } })
  const place = (version: string) => writeFileSync(`${root}/boot/vmlinuz-${version}`, '')
  mkdirSync(`${root}/boot`)
  place('6.1.0-25-amd64')
  assert.equal(await find(), undefined, 'a container has the kernel of its host')
  mkdirSync(`${root}/lib/modules/${running}`, { recursive: true })
  assert.equal(await find(), 'linux-image-6.1.0-25-amd64')
  rmSync(`${root}/boot/vmlinuz-6.1.0-25-amd64`)
  for (const other of [running, '6.1.0-8-amd64', '6.12.9-cloud-amd64', '6.12.9-rt-amd64']) place(other)
  assert.equal(await find(), undefined)
  uptime = 3600
  assert.equal(await find(), `linux-image-${running}`, 'it was replaced since the start')
})
