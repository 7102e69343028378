import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { root } from './sources.ts'

const unit = readFileSync(join(root, 'deploy/hostreeve.service'), 'utf8')
const sections = new Map(
  unit.split(/^\[(?=\w+\]$)/m).map((section) => [section.slice(0, section.indexOf(']')), section]),
)
const seconds = (section: string, name: string): number =>
  Number(new RegExp(`^${name}=(\\d+)$`, 'm').exec(sections.get(section) ?? '')?.[1])

describe('the unit of the panel', () => {
  it('gives up on a start that fails again and again, also when each takes half a minute', () => {
    const attempts = seconds('Unit', 'StartLimitBurst') // systemd ignores both in [Service]
    const lasting = attempts * (seconds('Service', 'RestartSec') + 30)
    assert.ok(lasting < seconds('Unit', 'StartLimitIntervalSec'), `${lasting} s`)
  })

  it('lets bubblewrap name its namespace, which the helpers of homes are confined by', () => {
    assert.doesNotMatch(unit, /^ProtectHostname=/m)
  })

  it('limits what the C library keeps, as the command does', () => {
    const command = readFileSync(join(root, 'bin/hostreeve'), 'utf8')
    for (const [name, value] of [
      ['MALLOC_MMAP_THRESHOLD_', '131072'],
      ['MALLOC_ARENA_MAX', '1'],
    ] as const) {
      assert.ok(command.includes(`${name}:-${value}`), name)
      assert.ok(sections.get('Service')?.includes(`${name}=${value}`), name)
    }
  })
})
