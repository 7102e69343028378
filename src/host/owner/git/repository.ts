import { isUtf8 } from 'node:buffer'
import type { Account } from '../confinement.ts'
import { NoSuchFile, NotAFolder, NotPermitted, PathInvalid } from '../problems.ts'
import { fieldOf, type OwnerPath, shown, toBytes } from '../paths.ts'
import { isHarmless } from './config-keys.ts'
import { gitFailure } from './failures.ts'
import { NotARepository, RepositoryRefused } from './problems.ts'
import { type GitEnd, type GitRun, runGit } from './run.ts'
import { shownIn } from './names.ts'
import { complaint, fromHome } from './message.ts'

/** A repository whose configuration was checked. */
export interface Repository {
  readonly account: Account
  /** The working tree's folder in the home; empty for the home itself. */
  readonly root: string
  /** Its name in messages: relative to the home, after its request field. */
  readonly place: string
  /** True if the given folder is the top of the working tree, not one below it. */
  readonly isTop: boolean
  /** The settings of its configuration, in order; a key may occur more than once. */
  readonly config: readonly (readonly [key: string, value: string])[]
  /** Runs git there; a failure is a Problem with git's message. */
  git(run: GitRun): Promise<GitEnd>
  /** The same, if a failure is an expected result. */
  attempt(run: GitRun): Promise<GitEnd>
}

/** Opening reads a few small files; if one of them is a pipe without a writer, it would never end. */
const openMs = 20_000

/** Finds the repository that contains a folder of the home, and refuses one whose configuration could start programs or lead elsewhere. */
export async function openRepository(
  account: Account,
  path: OwnerPath,
  signal?: AbortSignal,
): Promise<Repository> {
  const there = ['-C', `./${folderOf(path)}`]
  const short = { signal, env: reads, timeoutMs: openMs }
  const [found, listed] = await Promise.all([
    runGit(account, {
      args: [...there, 'rev-parse', '--is-inside-work-tree', '--show-cdup', '--show-toplevel'],
      ...short,
    }),
    runGit(account, {
      args: [...there, 'config', '--list', '-z', '--show-scope', '--includes'],
      ...short,
      maxBytes: 1024 * 1024,
    }),
  ])
  const [isInside, up, ...rest] = found.out.toString('utf8').split('\n')
  const top = rest.join('\n').replace(/\n$/, '') // a folder name may contain newlines: the output must be parsed completely
  const isHidden = isInside === 'false' || /must be run in a work tree/.test(found.message) // a setting may have caused this: it is reported first
  if (found.code !== 0 && !isHidden) throw notOpened(fromHome(found.message, account.home), path)
  const config = harmless(listed, path)
  if (isHidden || !(top === account.home || top.startsWith(`${account.home}/`)))
    throw NotARepository(`${shown(path)}: it is not a working tree`)
  if (!isUtf8(found.out)) throw namesOnlyText(path)
  const root = top.slice(account.home.length + 1)
  return repositoryAt(
    { account, root, place: `${fieldOf(path)}${shownIn(root, '')}`, isTop: up === '', config },
    signal,
  )
}

/** A folder of the home in a form that git accepts. */
export function folderOf(path: OwnerPath): string {
  const bytes = Buffer.from(toBytes(path).replace(/\/+$/, ''), 'latin1')
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) throw namesOnlyText(path)
  return text
}

const namesOnlyText = (path: OwnerPath): Error =>
  PathInvalid(`${shown(path)}: version control requires folder names in UTF-8`)

/** Reading takes no lock that could block other work there. */
export const reads = { GIT_OPTIONAL_LOCKS: '0' }

function repositoryAt(
  found: Omit<Repository, 'git' | 'attempt'>,
  signal: AbortSignal | undefined,
): Repository {
  const { account, root, place } = found
  const attempt = async (run: GitRun) => {
    const end = await runGit(account, { signal, ...run, args: ['-C', `./${root}`, ...run.args] })
    return { ...end, message: fromHome(end.message, account.home, root) }
  }
  const git = async (run: GitRun) => {
    const end = await attempt(run)
    if (end.code !== 0) throw gitFailure(end.message, `${place}: `)
    return end
  }
  return { ...found, attempt, git }
}

/** The settings of a repository, as `git config` lists them; listing starts no program. */
function harmless({ code, out, message }: GitEnd, path: OwnerPath): Repository['config'] {
  if (code !== 0)
    throw RepositoryRefused(`${shown(path)}: its configuration cannot be read: ${complaint(message)}`)
  const config = entriesOf(out.toString('utf8'))
  const bad = config.find(([key]) => !isHarmless(key))
  if (bad) throw refusal(path, bad[0])
  return config
}

function refusal(path: OwnerPath, key: string): Error {
  const name = key.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, 200)
  return RepositoryRefused(
    `${shown(path)}: its configuration has ${name}, which the panel does not follow, as such keys can start programs or lead elsewhere${
      isVital(key) ? ': work in it in a terminal' : '; remove it with git config --unset-all'
    }`,
    { fields: { key: name } },
  )
}

// Settings that a repository cannot be read without: a submodule, a partial clone, another ref storage.
const isVital = (key: string): boolean =>
  /^extensions\.|^core\.worktree$|^remote\..*\.(?:promisor|partialclonefilter)$/s.test(key)

// scope, key and value, each terminated by NUL or newline; settings of the command line are left out
function entriesOf(text: string): readonly (readonly [string, string])[] {
  const parts = text.split('\0')
  const entries: [string, string][] = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope, entry = ''] = [parts[at], parts[at + 1]]
    const end = entry.indexOf('\n')
    if (scope !== 'command')
      entries.push(end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)])
  }
  return entries
}

function notOpened(message: string, path: OwnerPath): Error {
  if (/cannot change to .*No such file/s.test(message))
    return NoSuchFile(`${shown(path)}: there is no such folder`)
  if (/cannot change to .*Not a directory/s.test(message))
    return NotAFolder(`${shown(path)}: it is not a folder`)
  if (/cannot change to .*Permission denied/s.test(message))
    return NotPermitted(`${shown(path)}: the owner has no access to it`)
  if (/not a git repository: /.test(message))
    return RepositoryRefused(
      `${shown(path)}: the repository that it refers to does not exist: ${complaint(message)}`,
    )
  if (/not a git repository|must be run in a work tree|cannot use bare repository/.test(message))
    return NotARepository(`${shown(path)}: it is not a git repository`)
  return RepositoryRefused(`${shown(path)}: ${complaint(message)}`)
}
