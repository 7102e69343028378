import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync } from 'node:fs'
import { onceArgs, openHome, type Account } from './confinement.ts'
import type { ByteString } from './confined/calls.ts'
import { killGroup } from './confined/tool.ts'
import { printable } from './failures.ts'
import { covered } from './keeper.ts'
import { OwnerUnavailable } from './problems.ts'

const limitMs = 120_000
const maxMessageBytes = 4096

interface FlagChange {
  readonly flag: '+i' | '-i'
  readonly recursive: boolean
  readonly signal: AbortSignal | undefined
}

/**
 * Runs chattr under the owner's uid with only CAP_LINUX_IMMUTABLE, in the namespace of the home: it reaches what the owner can reach, and
 * changes only the owner's files. The path goes by stdin, which accepts any bytes. Returns chattr's error output, empty on success.
 */
// oxlint-disable-next-line max-lines-per-function -- one sequence over shared local state
export async function changeFlags(
  account: Account,
  path: ByteString,
  { flag, recursive, signal }: FlagChange,
): Promise<string> {
  signal?.throwIfAborted()
  const home = openHome(account)
  const nothing = openSync('/dev/null', constants.O_RDWR)
  const chattr = ['/usr/bin/chattr', flag, '--']
  // chattr -R would complain about every link
  const below = [
    '/usr/bin/find',
    '-files0-from',
    '-',
    '(',
    '-type',
    'f',
    '-o',
    '-type',
    'd',
    ')',
    '-exec',
    ...chattr,
    '{}',
    '+',
  ]
  const argv = recursive ? below : ['/usr/bin/xargs', '--null', '--', ...chattr]
  const child = spawn('bwrap', onceArgs(account, 'linux_immutable', argv), {
    env: {},
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', nothing, home.fd, ...covered(nothing)],
  })
  closeSync(home.fd)
  closeSync(nothing)
  let message = ''
  child.stderr?.on('data', (part: Buffer) => {
    message = (message + part.toString('utf8')).slice(0, maxMessageBytes)
  })
  child.stdin?.on('error', () => {}) // it ended early, and gives the reason on stderr
  child.stdin?.end(Buffer.from(`./${path}\0`, 'latin1'))
  const kill = () => killGroup(child.pid)
  const timer = setTimeout(kill, limitMs)
  signal?.addEventListener('abort', kill, { once: true })
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    signal?.throwIfAborted()
    return code === 0
      ? ''
      : printable(message.split('\n').find((line) => !line.startsWith('chattr ')) ?? '') ||
          'chattr did not finish in time'
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason
    throw OwnerUnavailable(`${account.name}: bubblewrap (bwrap) is not installed`, { cause: error })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', kill)
  }
}
