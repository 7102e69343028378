import Type, { type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { Unavailable } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import type { Owner } from '../../host/owner/index.ts'
import type { RunResult } from '../../host/run.ts'
import { phpExtensions } from '../applications/index.ts'
import type { itemKinds } from './model.ts'
import { ScriptFailed } from './problems.ts'
import { mark, script } from './script.ts'

/** A WordPress, as its script is told where it is. */
export interface Place {
  readonly username: string
  readonly domain: string
  /** Version of PHP. */
  readonly version: string
  readonly isTls: boolean
}

const Version = Type.String({ maxLength: 60 })
const NewVersion = Type.Union([Version, Type.Null()])
const Item = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  title: Type.String({ maxLength: 200 }),
  version: Version,
  is_active: Type.Boolean(),
  is_needed: Type.Boolean(),
  new_version: NewVersion,
  package: Type.Union([Type.String(), Type.Null()]),
})

/** What WordPress tells of itself; a plugin may have told it. */
const Read = Type.Object({
  title: Type.String({ maxLength: 200 }),
  version: Version,
  new_version: NewVersion,
  package: Type.Union([Type.String(), Type.Null()]),
  checked_at: Type.Union([Type.String({ maxLength: 35, format: 'date-time' }), Type.Null()]),
  plugins: Type.Array(Item, { maxItems: 500 }),
  themes: Type.Array(Item, { maxItems: 200 }),
  administrators: Type.Array(Type.String({ maxLength: 60 }), { maxItems: 100 }),
  no_file_editing: Type.Boolean(),
  database: Type.String({ maxLength: 64 }),
})
export type Read = Static<typeof Read>
export type ReadItem = Static<typeof Item>

const State = Type.Object({ state: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]) })
const answers = {
  read: Read,
  state: State,
  set_state: State,
  inspect: Type.Object({
    version: NewVersion,
    /** Why the archive cannot be installed. */
    fault: Type.Union([Type.String({ maxLength: 300 }), Type.Null()]),
    is_locked: Type.Boolean(),
  }),
  upgrade_database: Type.Object({ version: Type.Integer() }),
  alter: Type.Object({ versions: Type.Array(NewVersion, { maxItems: 50 }) }),
  ask: Type.Object({ is_asked: Type.Boolean() }),
  asked: Type.Object({
    is_due: Type.Boolean(),
    is_running: Type.Boolean(),
    unanswered: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 10 }),
  }),
}
type Answers = typeof answers

interface OfItem {
  readonly kind: (typeof itemKinds)[number]
  readonly name: string
}

/** What the script is told besides the mode and the place. */
interface Inputs {
  readonly read: object
  readonly ask: object
  readonly asked: object
  readonly state: OfItem
  readonly set_state: OfItem & { readonly state: string }
  /** An absolute path of a zip archive, and the version that it must have. */
  readonly inspect: { readonly package: string; readonly wanted: string | null }
  readonly upgrade_database: object
  readonly alter: {
    readonly action: 'update' | 'delete'
    /** Packages are absolute paths of zip archives. */
    readonly items: readonly {
      readonly kind: OfItem['kind'] | 'core'
      readonly name: string
      readonly package: string | null
    }[]
  }
}

interface Options {
  readonly signal?: AbortSignal
  /** True to load the plugins and the theme, too. */
  readonly loadsAll?: boolean
}

/** Asks a WordPress, under its owner's uid; throws ScriptFailed with its message. */
export type AskWordPress = <Mode extends keyof Answers>(
  place: Place,
  mode: Mode,
  input: Inputs[Mode],
  options?: Options,
) => Promise<Static<Answers[Mode]>>

interface Asking {
  readonly files: Host['files']
  readonly ownerOf: (username: string) => Promise<Owner>
  readonly homeOf: (username: string) => Promise<string>
  /** The socket of the SQL server. */
  readonly socketOf: () => Promise<string>
}

const scriptPath = '/run/hostreeve/wordpress.php'
const maxBytes = 4 * 1024 * 1024
/** Packages are unpacked in an alteration, and a database may be large. */
const timeoutMs = (mode: keyof Answers): number =>
  mode === 'alter' || mode === 'upgrade_database' ? 900_000 : 120_000

/** Binds the script to the confinement of owners, which has neither the network nor php.ini. */
export function openWordPress({ files, ownerOf, homeOf, socketOf }: Asking): AskWordPress {
  return async (place, mode, input, { signal, loadsAll = false } = {}) => {
    const { username, domain, version, isTls } = place
    const socket = await socketOf()
    const extensions = await phpExtensions({ files }, version)
    if (extensions.length === 0) throw Unavailable(`The package php${version}-cli is missing`)
    const root = `${await homeOf(username)}/sites/${domain}/public`
    const owner = await ownerOf(username)
    const result = await owner.run(argvOf(version, extensions, socket), {
      maxBytes,
      timeoutMs: timeoutMs(mode),
      input: JSON.stringify({ ...input, mode, root, domain, https: isTls, loads_all: loadsAll }),
      file: { path: scriptPath, content: script },
      sockets: [socket],
      ...(signal && { signal }),
    })
    signal?.throwIfAborted()
    return answerIn(answers[mode], result)
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
  ...['-d', 'memory_limit=512M', '-d', 'display_errors=stderr', '-d', 'error_reporting=341'], // errors alone, no notices
  ...['-d', `mysqli.default_socket=${socket}`, '-f', scriptPath],
]

/** The last line with the mark: WordPress, and what it loads, may print what it likes before. */
function answerIn<Schema extends TSchema>(
  schema: Schema,
  { stdout, stderr, code }: RunResult,
): Static<Schema> {
  const line = stdout.split('\n').findLast((each) => each.startsWith(mark))
  if (code !== 0 || line === undefined)
    throw ScriptFailed(`WordPress: ${messageOf(stderr, stdout) || `its script ended with ${code}`}`)
  const answer = parsed(line.slice(mark.length))
  if (!Value.Check(schema, answer)) throw ScriptFailed('WordPress: what it tells of itself is not readable')
  return answer
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The owner writes the text: patterns that look for an end again and again get no more of it. */
const mostRead = 16 * 1024

/** What WordPress says of a failure may be a page of HTML. */
export function messageOf(...outputs: readonly string[]): string {
  return outputs
    .join('\n')
    .slice(0, mostRead)
    .replaceAll(/<(?:style|script)\b[\s\S]*?<\/(?:style|script)>/gi, ' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 1500)
}
