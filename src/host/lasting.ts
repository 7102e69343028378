import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { followFiles, type OnLine } from './growing-file.ts'

type Argv = readonly [string, ...string[]]

interface Lasting {
  readonly env: Readonly<Record<string, string>>
  /** Names the step that runs it. */
  readonly token: string | undefined
  readonly timeoutMs: number
}

/** True if systemd can start a program in a unit of its own. */
export const hasUnits = (): boolean => process.getuid?.() === 0 && existsSync('/run/systemd/system')

/**
 * The command line of a command that continues if the panel is killed: in its own unit, because systemd ends
 * all processes in the panel's unit, or unchanged without systemd.
 */
export function lastingArgv(argv: Argv, { env, token = 'none', timeoutMs }: Lasting): Argv {
  if (!hasUnits()) return argv
  const suffix = randomBytes(4).toString('hex') // a step may run several commands
  return inUnit(argv, { env, unit: `hostreeve-step-${token.replace(':', '-')}-${suffix}`, timeoutMs })
}

/** The command line that runs another in a unit, with the same output and environment, and ends as it does. */
export const inUnit = (
  argv: Argv,
  { env, unit, timeoutMs }: Omit<Lasting, 'token'> & { readonly unit: string },
): Argv => [
  'systemd-run',
  '--quiet',
  '--collect',
  '--wait',
  '--pipe',
  `--unit=${unit}`,
  `--property=RuntimeMaxSec=${Math.ceil(timeoutMs / 1000)}`,
  ...Object.entries(env).map(([name, value]) => `--setenv=${name}=${value}`),
  '--',
  ...argv,
]

/** Files for the output of a command that may outlive its reader: a pipe without one would end it. */
export interface Outputs {
  /** Of stdout and stderr. */
  readonly descriptors: readonly [number, number]
  /** The output so far, up to the limit. */
  read(
    maxBytes: number,
  ): Promise<{ readonly stdout: string; readonly stderr: string; readonly isCut: boolean }>
  /** Passes on the lines while they are written, up to the limit; the returned function passes on the rest. */
  follow(onLine: OnLine, maxBytes: number): () => Promise<void>
  close(): Promise<void>
}

const outputPrefix = 'hostreeve-output-'

/** True for the target of a descriptor, as /proc shows it, that is such a file. */
export const isOutputFile = (target: string): boolean => target.includes(`/${outputPrefix}`)

/** Opens two files without a name: they are removed when the last program closes them. */
export async function openOutputs(): Promise<Outputs> {
  const directory = await mkdtemp(`${tmpdir()}/${outputPrefix}`)
  try {
    const stdout = await open(`${directory}/stdout`, 'ax+', 0o600)
    const stderr = await open(`${directory}/stderr`, 'ax+', 0o600)
    return {
      descriptors: [stdout.fd, stderr.fd],
      read: async (maxBytes) => {
        const [out, err] = [await headOf(stdout, maxBytes), await headOf(stderr, maxBytes)]
        return { stdout: out.text, stderr: err.text, isCut: out.isCut || err.isCut }
      },
      follow: (onLine, maxBytes) => followFiles([stdout, stderr], onLine, maxBytes),
      close: async () => {
        await stdout.close()
        await stderr.close()
      },
    }
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function headOf(file: FileHandle, maxBytes: number) {
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, maxBytes)), { position: 0 })
  return { text: buffer.toString('utf8', 0, bytesRead), isCut: size > maxBytes }
}
