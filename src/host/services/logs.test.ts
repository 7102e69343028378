import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Problem } from '../../core/problem.ts'
import { openFiles } from '../files.ts'
import { openFollow } from '../follow.ts'
import type { RunOptions } from '../run.ts'
import { type LogLine, type LogOptions, openServiceLogs, parseEntry } from './logs.ts'

const entry = (fields: object) =>
  `${JSON.stringify({ __REALTIME_TIMESTAMP: '1790000000000001', PRIORITY: '4', _PID: '7', ...fields })}\n`

describe('the log of a service', () => {
  let root: string
  const commands: (readonly string[])[] = []
  let output = ''
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'hs-'))
    mkdirSync(join(root, 'var/log/cups'), { recursive: true })
    mkdirSync(join(root, 'run/systemd/system'), { recursive: true })
  })
  after(() => rmSync(root, { recursive: true, force: true }))

  const read = async (name: string, options: Partial<LogOptions> = {}) => {
    const run = async (argv: readonly string[], { onOutput }: RunOptions = {}) => {
      commands.push(argv)
      await onOutput?.(Buffer.from(output))
      return { code: 0, stdout: '', stderr: '', isCut: false, durationMs: 0 }
    }
    const logs = openServiceLogs(openFollow(run), openFiles(root))
    const { signal } = new AbortController()
    const found: LogLine[] = []
    for await (const line of logs(name, { lines: 5, isFollowing: false, signal, ...options }))
      found.push(line)
    return found
  }

  test('comes from the journal of its unit, with severity and time as conditions', async () => {
    mkdirSync(join(root, 'etc'), { recursive: true })
    writeFileSync(join(root, 'etc/machine-id'), '0123abcd\n')
    output = entry({ MESSAGE: 'late' }) + entry({ MESSAGE: 'cut' }).slice(0, -9)
    const since = new Date('2026-11-23T00:00:00Z')
    const lines = await read('getty@tty1', { priority: 'err', since, isFollowing: true })
    assert.deepEqual(lines, [{ timeUs: 1_790_000_000_000_001, priority: 'warning', pid: 7, message: 'late' }])
    assert.deepEqual(commands.at(-1)?.slice(6), [
      '--unit=getty@tty1.service',
      '--lines=5',
      '--follow',
      '--merge',
      '--priority=err',
      '--since=@1795392000',
      '_MACHINE_ID=0123abcd',
    ])
  })

  test('goes on after a line that the reader has', async () => {
    output = entry({ MESSAGE: 'seen' }) + entry({ MESSAGE: 'new', __REALTIME_TIMESTAMP: '1790000000000002' })
    const lines = await read('cron', { afterUs: 1_790_000_000_000_001 })
    assert.deepEqual(
      lines.map(({ message }) => message),
      ['new'],
    )
  })

  test('comes from a file where the caller asks for it; a link is not followed', async () => {
    symlinkSync('/etc/shadow', join(root, 'var/log/cups.log'))
    writeFileSync(join(root, 'var/log/cups/error.log'), '')
    output = 'one\ntwo\n'
    assert.deepEqual(
      (await read('cups', { source: 'file' })).map(({ message, timeUs }) => [message, timeUs]),
      [
        ['one', undefined],
        ['two', undefined],
      ],
    )
    assert.deepEqual(commands.at(-1), ['tail', '--lines=5', '--', join(root, 'var/log/cups/error.log')])
    await assert.rejects(
      read('ssh', { source: 'file' }),
      (error: Problem) => error.kind.code === 'not_found' && /\/var\/log\/ssh\.log/.test(error.message),
    )
  })
})

test('reads messages that are no text, or too long', () => {
  assert.equal(parseEntry(entry({ MESSAGE: [104, 105, 255] }))?.message, 'hi\u{fffd}')
  const long = parseEntry(entry({ MESSAGE: 'x'.repeat(70_000) }))?.message ?? ''
  assert.match(long, /^x{64000} … \(6000 characters more\)$/)
  assert.equal(parseEntry(entry({ PRIORITY: undefined, MESSAGE: '' }))?.priority, null)
})
