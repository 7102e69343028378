import { randomBytes } from 'node:crypto'
import { finished, Readable } from 'node:stream'
import { problem } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import type { RunResult } from '../../host/run.ts'
import { outputOf } from '../program-output.ts'

export const PassphraseWrong = problem('bad_request', 400, 'The passphrase does not decrypt the backup')

const limitMs = 12 * 3_600_000
/** A home is the place of a socket, whose path is at most 108 bytes. */
const homes = '/run'

interface Coding {
  readonly passphrase: string
  readonly signal: AbortSignal
}

/** Opens what encrypts and decrypts streams. The passphrase is the first line of what gpg reads, never an argument. */
export function openCipher(host: Pick<Host, 'run' | 'files'>) {
  const coded = (mode: readonly string[], source: Readable, { passphrase, signal }: Coding): Readable => {
    const input = Readable.from(prefixed(passphrase, source), { objectMode: false })
    const output = outputOf((limits) => inHome(host, mode, { ...limits, input }), failureOf, signal)
    source.once('error', (error) => output.destroy(error))
    finished(output, () => void (source.destroyed || source.destroy()))
    return output
  }
  return {
    encrypt: (source: Readable, coding: Coding): Readable => coded(encrypting, source, coding),
    /** A wrong passphrase fails the stream with `PassphraseWrong`. */
    decrypt: (source: Readable, coding: Coding): Readable => coded(['--decrypt'], source, coding),
  }
}

const encrypting = ['--symmetric', '--cipher-algo', 'AES256', '--compress-algo', 'none']

async function* prefixed(passphrase: string, source: Readable): AsyncGenerator<Buffer> {
  yield Buffer.from(`${passphrase}\n`)
  for await (const chunk of source) yield Buffer.from(chunk)
}

/** gpg leaves an agent in its home, which is ended before the home is removed. */
async function inHome(
  { run, files }: Pick<Host, 'run' | 'files'>,
  mode: readonly string[],
  options: Pick<Parameters<Host['run']>[1] & {}, 'input' | 'signal' | 'onOutput'>,
): Promise<RunResult> {
  const home = `${homes}/hostreeve-gpg-${randomBytes(6).toString('hex')}`
  await files.makeDirectory(home, { mode: 0o700 })
  const homedir = ['--homedir', files.real(home)]
  try {
    return await run(['gpg', ...homedir, ...common, ...mode], { ...options, timeoutMs: limitMs })
  } finally {
    await run(['gpgconf', ...homedir, '--kill', 'all'], { timeoutMs: 30_000 })
    await files.removeTree(home)
  }
}

const common = [
  '--batch',
  '--yes',
  '--no-tty',
  '--no-symkey-cache',
  '--pinentry-mode',
  'loopback',
  '--passphrase-fd',
  '0',
]

function failureOf({ stderr, code }: RunResult): Error {
  const message = stderr.trim().slice(-1000)
  if (/Bad session key|No secret key|bad passphrase/i.test(message))
    return PassphraseWrong('passphrase: it does not decrypt the backup')
  return new Error(`gpg ended with ${code}: ${message}`)
}
