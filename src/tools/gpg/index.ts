import { randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { problem } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import { detectOneOf } from '../../host/owner/index.ts'
import { tool } from '../tool.ts'

/** The passphrase is not the one that the file was encrypted with. */
export const PassphraseWrong = problem(
  'bad_request',
  400,
  'passphrase: is not the one that the backup was encrypted with',
)
export const CryptFailed = problem('encryption_failed', 500, 'gpg failed')

/** How a stream or a file is encrypted or decrypted. */
interface Crypting {
  readonly passphrase: string
  readonly signal: AbortSignal
  readonly timeoutMs?: number
}

interface Streaming extends Crypting {
  readonly source: Readable
  /** Receives the output; reading continues when the returned promise has settled. */
  readonly onOutput: (chunk: Buffer) => Promise<unknown> | undefined
}

interface OfFile extends Crypting {
  /** Paths on the host; what is written must not exist yet. */
  readonly from: string
  readonly to: string
}

const defaultTimeoutMs = 6 * 3_600_000
const common = [
  '--batch',
  '--no-tty',
  '--quiet',
  '--no-options',
  '--pinentry-mode',
  'loopback',
  '--passphrase-fd',
  '0',
]
const encrypting = ['--symmetric', '--cipher-algo', 'AES256', '--compress-algo', 'none']

/** GnuPG with a passphrase, which is sent over standard input before what it encrypts. */
export const gpg = tool({
  name: 'gnupg',
  title: 'GnuPG',
  packages: ['gpg', 'gpg-agent'],
  isOptional: true,
  detect: async () => detectOneOf(['/usr/bin/gpg'], 'encrypted backups need it'),
  verbs: ({ host }) => ({
    /** Encrypts a stream; throws CryptFailed. */
    encrypt: (streaming: Streaming) => crypt(host, encrypting, streaming),
    /** Decrypts a stream: its output is to be trusted only once this has returned. Throws PassphraseWrong, CryptFailed. */
    decrypt: (streaming: Streaming) => crypt(host, ['--decrypt'], streaming),
    /** Encrypts a file into another one. */
    encryptFile: (of: OfFile) => cryptFile(host, encrypting, of),
    /** Decrypts a file into another one, which is removed if that fails. */
    decryptFile: (of: OfFile) => cryptFile(host, ['--decrypt'], of),
  }),
})

async function cryptFile(
  host: Host,
  verb: readonly string[],
  { from, to, ...crypting }: OfFile,
): Promise<void> {
  const { files } = host
  const source = (await files.open(from))?.stream
  if (source === undefined) throw CryptFailed(`gpg: there is no file ${from}`)
  const written = new PassThrough()
  written.on('error', () => {}) // it may fail before the file is open, which then tells of it
  const storing = files.store(to, written, crypting.signal)
  const stored = storing.then(
    () => {},
    () => {},
  )
  const drained = () => new Promise<void>((resolve) => written.once('drain', resolve))
  const onOutput = (chunk: Buffer) =>
    written.destroyed || written.write(chunk) ? undefined : Promise.race([drained(), stored])
  try {
    await crypt(host, verb, { ...crypting, source, onOutput })
    written.end()
  } catch (error) {
    written.destroy(error instanceof Error ? error : new Error(String(error)))
    await stored
    throw error
  }
  await storing
}

async function crypt({ run, files }: Host, verb: readonly string[], streaming: Streaming): Promise<void> {
  const { passphrase, source, onOutput, signal, timeoutMs = defaultTimeoutMs } = streaming
  if (/[\n\r\0]/.test(passphrase) || passphrase === '') {
    source.destroy()
    throw PassphraseWrong()
  }
  const home = `/run/hostreeve-gpg-${randomBytes(8).toString('hex')}`
  await files.makeDirectory(home, { mode: 0o700 })
  const real = files.real(home)
  try {
    const argv = ['gpg', '--homedir', real, ...common, ...verb] as const
    const input = Readable.from(withPassphrase(passphrase, source), { objectMode: false })
    const { code, stderr } = await run(argv, { input, onOutput, signal, timeoutMs, maxBytes: 64 * 1024 })
    signal.throwIfAborted()
    if (source.errored) throw source.errored
    if (code !== 0) throw failureOf(code, stderr)
  } finally {
    source.destroy()
    await run(['gpgconf', '--homedir', real, '--kill', 'all'], { timeoutMs: 30_000 })
    await files.removeTree(home)
  }
}

async function* withPassphrase(passphrase: string, source: Readable): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${passphrase}\n`)
  yield* source
}

function failureOf(code: number, stderr: string) {
  if (/Bad session key|decryption failed: Bad/i.test(stderr)) return PassphraseWrong()
  const message = stderr.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim()
  return CryptFailed(`gpg: ${message.slice(0, 500) || `ended with status ${code}`}`)
}
