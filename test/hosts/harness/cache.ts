import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where bases, packages and the disks of running hosts are kept: outside the checkout, in HOSTREEVE_TEST_CACHE or ~/.cache/hostreeve/hosts. */
export function cacheFolder(): string {
  return process.env['HOSTREEVE_TEST_CACHE'] ?? join(homedir(), '.cache', 'hostreeve', 'hosts')
}

/** Runs `work` while no other process on this machine holds the same lock; the kernel frees it when its holder dies. */
export async function withLock<T>(name: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  await mkdir(cacheFolder(), { recursive: true })
  const lockFile = join(cacheFolder(), `${name}.lock`)
  const holder = spawn('flock', ['--wait', String(Math.ceil(waitMs / 1000)), lockFile, 'cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(holder, 'exit')
  holder.stdin.on('error', () => {}) // flock gave up: its exit tells
  holder.stdin.write('held\n')
  try {
    const isHeld = await Promise.race([once(holder.stdout, 'data').then(() => true), ended.then(() => false)])
    if (!isHeld) throw new Error(`another run has held ${lockFile} for ${waitMs} ms`)
    return await work()
  } finally {
    holder.stdin.end()
    await ended
  }
}
