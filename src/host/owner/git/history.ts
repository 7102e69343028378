import { isUtf8 } from 'node:buffer'
import { HelperFailed } from '../problems.ts'
import { type Difference, differenceOf } from './difference.ts'
import { emptyTree, readHead, resolveCommit } from './refs.ts'
import { reads, type Repository } from './repository.ts'

export interface Commit {
  readonly commit: string
  readonly parents: readonly string[]
  readonly authorName: string
  readonly authorEmail: string
  readonly authoredAt: string
  readonly committerName: string
  readonly committedAt: string
  readonly refs: readonly string[]
  readonly subject: string
  readonly body: string
}

export interface LogOptions {
  readonly ref?: string
  readonly file?: string
  readonly page?: number
  readonly perPage?: number
}

const fields = ['%H', '%P', '%an', '%ae', '%at', '%cn', '%ct', '%D', '%s', '%b']
const plain = [
  '--no-color',
  '--no-follow',
  '--no-ext-diff',
  '--no-textconv',
  '--no-show-signature',
  '--encoding=UTF-8',
  '--no-notes',
]

/** Returns the commits that are reachable from a revision, newest first. */
export async function readLog(
  repository: Repository,
  options: LogOptions,
): Promise<{ readonly items: readonly Commit[]; readonly total: number }> {
  const { ref, file, page = 1, perPage = 50 } = options
  if (ref === undefined && (await readHead(repository)) === null) return { items: [], total: 0 }
  const from = await resolveCommit(repository, ref ?? 'HEAD', 'ref')
  const paths = file === undefined ? [] : [file]
  const shape = [
    `--format=tformat:${fields.join('%x00')}`,
    '-z',
    `--skip=${(page - 1) * perPage}`,
    `--max-count=${perPage}`,
  ]
  const [log, count] = await Promise.all([
    repository.git({
      args: ['log', ...plain, ...shape, from, '--', ...paths],
      env: reads,
      maxBytes: 32 * 1024 * 1024,
      cuts: true,
    }),
    repository.git({ args: ['rev-list', '--count', from, '--', ...paths], env: reads }),
  ])
  return { items: parseLog(log.out), total: Number(count.out.toString('utf8').trim()) || 0 }
}

/** Returns one commit with its changes; a merge is compared with its first parent. */
export async function showCommit(
  repository: Repository,
  name: string,
  file?: string,
): Promise<Commit & Difference> {
  const commit = await resolveCommit(repository, name)
  const { out } = await repository.git({
    args: ['log', ...plain, `--format=tformat:${fields.join('%x00')}`, '-z', '--max-count=1', commit],
    env: reads,
    maxBytes: 8 * 1024 * 1024,
    cuts: true,
  })
  const [found] = parseLog(out)
  if (found === undefined) throw HelperFailed(`commit: ${name}: git returned nothing for this commit`)
  const parent = found.parents[0] ?? (await emptyTree(repository))
  return {
    ...found,
    ...(await differenceOf(repository, [parent, commit], {
      context: 3,
      ...(file !== undefined && { file }),
    })),
  }
}

/** Parses records of ten fields, each ended by NUL. A record truncated by the limit is left out. */
export function parseLog(out: Buffer): readonly Commit[] {
  const parts = out.toString('latin1').split('\0').slice(0, -1)
  return Array.from({ length: Math.floor(parts.length / fields.length) }, (_, at) =>
    commitOf(parts.slice(at * fields.length)),
  )
}

function commitOf([
  commit = '',
  parents = '',
  an = '',
  ae = '',
  at = '',
  cn = '',
  ct = '',
  refs = '',
  subject = '',
  body = '',
]: readonly string[]): Commit {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw HelperFailed('the output of git log cannot be parsed')
  return {
    commit,
    parents: parents.split(' ').filter(Boolean).slice(0, 100),
    authorName: line(an, 300),
    authorEmail: line(ae, 300),
    authoredAt: time(at),
    committerName: line(cn, 300),
    committedAt: time(ct),
    refs: line(refs, 20_000)
      .split(', ')
      .filter(Boolean)
      .slice(0, 100)
      .map((ref) => ref.slice(0, 300)),
    subject: line(subject, 2000),
    body: decoded(body).slice(0, 20_000).toWellFormed(),
  }
}

function decoded(bytes: string): string {
  const buffer = Buffer.from(bytes, 'latin1')
  return isUtf8(buffer) ? buffer.toString('utf8') : bytes
}

const line = (bytes: string, most: number): string =>
  decoded(bytes)
    .replaceAll(/[\p{Cc}]/gu, ' ')
    .slice(0, most)
    .toWellFormed()
// A commit may have any time; one outside the range of RFC 3339 is shown as the first or the last time in it.
const time = (seconds: string): string =>
  new Date(Math.min(Math.max(Number(seconds) || 0, 0), 253_402_300_799) * 1000).toISOString()
