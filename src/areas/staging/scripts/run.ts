import { Unavailable } from '../../../core/problem.ts'
import type { Host } from '../../../host/index.ts'
import type { Owner } from '../../../host/owner/index.ts'
import { extensionsOf } from '../../applications/index.ts'
import { ReplacingFailed } from '../problems.ts'
import { mark, replaceAddresses } from './replace-addresses.ts'

/** What is replaced in a database, and by what. */
export interface Replacing {
  readonly username: string
  /** Of PHP. */
  readonly version: string
  readonly database: string
  /** The account that has rights on the database alone. */
  readonly account: string
  readonly password: string
  /** Host names that become `to`. */
  readonly names: readonly string[]
  readonly to: string
  readonly scheme: 'http' | 'https'
  /** Beginnings of absolute paths that become `folder`, each with a slash at its end. */
  readonly paths: readonly string[]
  readonly folder: string
}

/** Runs the script under the owner's uid: `check` tells whether anything is left, and replaces nothing. */
export type RunReplacing = (
  args: Replacing,
  mode: 'replace' | 'check',
  signal?: AbortSignal,
) => Promise<{ readonly left: number }>

interface Running {
  readonly files: Host['files']
  readonly ownerOf: (username: string) => Promise<Owner>
  /** The socket of the SQL server. */
  readonly socketOf: () => Promise<string>
}

const scriptPath = '/run/hostreeve/replace-addresses.php'
const maxBytes = 256 * 1024
const timeoutMs = 4 * 3_600_000

/** Opens the script. The confinement has no php.ini: its extensions are named as arguments, and secrets are standard input. */
export function openReplacing({ files, ownerOf, socketOf }: Running): RunReplacing {
  return async ({ username, version, account, ...args }, mode, signal) => {
    const owner = await ownerOf(username)
    const extensions = await extensionsOf({ files }, version, 'cli')
    const needed = extensions.filter((each) => each === 'mysqlnd' || each === 'mysqli')
    if (!needed.includes('mysqli'))
      throw Unavailable(
        `The packages php${version}-cli and php${version}-mysql are needed to replace addresses`,
      )
    const socket = await socketOf()
    const { stdout, stderr, code } = await owner.run(argvOf(version, needed, socket), {
      maxBytes,
      timeoutMs,
      input: JSON.stringify({ ...args, username: account, mode }),
      file: { path: scriptPath, content: replaceAddresses },
      sockets: [socket],
      ...(signal && { signal }),
    })
    const left = leftIn(stdout)
    if (code === 0 && left !== undefined) return { left }
    signal?.throwIfAborted()
    const text = `${stderr}\n${stdout}`.replaceAll(args.password, '••••••••').replaceAll(/\s+/g, ' ')
    throw ReplacingFailed(
      `${args.database}: ${text.trim().slice(0, 1000) || `the script ended with ${code}`}`,
    )
  }
}

const argvOf = (
  version: string,
  extensions: readonly string[],
  socket: string,
): readonly [string, ...string[]] => [
  `/usr/bin/php${version}`,
  '-n',
  ...extensions.flatMap((each) => ['-d', `extension=${each}`]),
  ...['-d', 'memory_limit=512M', '-d', 'display_errors=stderr', '-d', 'error_reporting=8191'],
  ...['-d', `mysqli.default_socket=${socket}`, '-d', 'pcre.backtrack_limit=10000000'],
  '-f',
  scriptPath,
]

/** The last line with the mark. */
function leftIn(stdout: string): number | undefined {
  const line = stdout.split('\n').findLast((each) => each.startsWith(mark))
  if (line === undefined) return undefined
  const { left }: { readonly left?: unknown } = JSON.parse(line.slice(mark.length))
  return typeof left === 'number' ? left : undefined
}
