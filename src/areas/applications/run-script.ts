import { Unavailable } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import type { Owner } from '../../host/owner/index.ts'
import { mark, setUpScripts } from './catalog/set-up-scripts.ts'
import { SetUpFailed } from './problems.ts'
import { extensionsOf } from './source.ts'
import type { RunScript, SetUpArgs, SetUpMode } from './steps/set-up.ts'

interface Running {
  readonly files: Host['files']
  readonly ownerOf: (username: string) => Promise<Owner>
  readonly homeOf: (username: string) => Promise<string>
  /** The socket of the SQL server. */
  readonly socketOf: () => Promise<string>
}

const scriptPath = '/run/hostreeve/set-up.php'
const maxBytes = 256 * 1024
/** Tables are made in a set-up alone. */
const timeoutsMs: Readonly<Record<SetUpMode, number>> = { set_up: 300_000, check: 60_000, undo: 60_000 }
/** Those that need the network or another process, or only speed up what runs for longer. */
const unused = new Set(['opcache', 'xdebug', 'ffi'])

/** Lists the extensions that a script names as arguments, in the order in which they are loaded. */
export async function phpExtensions(on: Pick<Running, 'files'>, version: string): Promise<readonly string[]> {
  return (await extensionsOf(on, version, 'cli')).filter((each) => !unused.has(each))
}

/**
 * Runs a set-up script in the owner's confinement, which has neither the network nor php.ini: its extensions are named as
 * arguments, and what it needs to know is standard input.
 */
export function scriptRunner({ files, ownerOf, homeOf, socketOf }: Running): RunScript {
  return async (args, mode, signal) => {
    const { username, domain, script, version, name } = args
    const owner = await ownerOf(username)
    const socket = script === 'wordpress' ? await socketOf() : undefined
    const extensions = await phpExtensions({ files }, version)
    if (extensions.length === 0) throw Unavailable(`php_version: the package php${version}-cli is missing`)
    const root = `${await homeOf(username)}/sites/${domain}/public`
    const { stdout, stderr, code } = await owner.run(argvOf(version, extensions, socket), {
      maxBytes,
      timeoutMs: timeoutsMs[mode],
      input: JSON.stringify({ ...inputOf(args), mode, root }),
      file: { path: scriptPath, content: setUpScripts[script] },
      sockets: socket === undefined ? [] : [socket],
      ...(signal && { signal }),
    })
    const told = outcomeIn(stdout)
    if (code === 0 && told !== undefined) return told
    signal?.throwIfAborted()
    throw SetUpFailed(`${name}: ${messageOf(args, stderr, stdout) || `its script ended with ${code}`}`)
  }
}

const inputOf = ({ domain, title, admin, email, password }: SetUpArgs) => ({
  domain,
  title,
  admin,
  email,
  password,
})

const argvOf = (
  version: string,
  extensions: readonly string[],
  socket: string | undefined,
): readonly [string, ...string[]] => [
  `/usr/bin/php${version}`,
  '-n',
  ...extensions.flatMap((each) => ['-d', `extension=${each}`]),
  ...['-d', 'memory_limit=512M', '-d', 'display_errors=stderr', '-d', 'error_reporting=8191'],
  ...(socket === undefined ? [] : ['-d', `mysqli.default_socket=${socket}`]),
  '-f',
  scriptPath,
]

/** The last line with the mark: an application may print what it likes before. */
function outcomeIn(stdout: string): { readonly is_set_up: boolean } | undefined {
  const line = stdout.split('\n').findLast((each) => each.startsWith(mark))
  if (line === undefined) return undefined
  const { is_set_up } = JSON.parse(line.slice(mark.length)) as { readonly is_set_up?: unknown }
  return typeof is_set_up === 'boolean' ? { is_set_up } : undefined
}

/** The owner writes the text: patterns that look for an end again and again get no more of it. */
const mostRead = 16 * 1024

/** What an application says of a failure may be a page of HTML, and may name the password. */
function messageOf({ password }: SetUpArgs, ...outputs: readonly string[]): string {
  const plain = outputs
    .join('\n')
    .replaceAll(password, '••••••••')
    .slice(0, mostRead)
    .replaceAll(/<(?:style|script)\b[\s\S]*?<\/(?:style|script)>/gi, ' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
  return plain.trim().slice(0, 1000)
}
