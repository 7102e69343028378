import type { Readable } from 'node:stream'
import { onAbort } from '../../core/on-abort.ts'
import type { Asking } from './asking.ts'
import type { Call } from './confined/call.ts'
import { printable } from './failures.ts'
import { nameFields, type OwnerPath, shown, toBytes } from './paths.ts'
import { HelperFailed } from './problems.ts'
import { openStream } from './read.ts'
import { replies } from './replies.ts'
import type { SearchMatch } from './shapes.ts'

/** The folder and query of a search. */
export interface SearchOptions {
  /** Lines of text files instead of names. */
  readonly content?: boolean
  readonly matchCase?: boolean
  /** The query is a pattern of * ? [a-z] for the whole name. */
  readonly glob?: boolean
  /** Only files whose name matches this pattern are searched for lines. */
  readonly files?: string
  /** The search ends after this many results. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

const maxRowBytes = 64 * 1024

/** Finds entries by name, or lines by content, below a folder, and yields each as soon as it is found. Ending the iteration ends the search. */
export async function* searchHome(
  asking: Asking,
  path: OwnerPath,
  query: string,
  options: SearchOptions,
): AsyncGenerator<SearchMatch> {
  const { content = false, matchCase = false, glob = false, files, limit = 1000, signal } = options
  signal?.throwIfAborted()
  const latin1 = (text: string) => Buffer.from(text).toString('latin1')
  const request: Call = {
    op: 'search',
    path: toBytes(path),
    query: latin1(query),
    content,
    limit,
    matchCase,
    glob,
    ...(files === undefined ? {} : { files: latin1(files) }),
  }
  const { stream } = await openStream(asking, { request, about: path, head: replies.nothing })
  const stop = () => stream.destroy(signal?.reason instanceof Error ? signal.reason : new Error('cancelled'))
  const forget = onAbort(signal, stop)
  try {
    let found = 0
    for await (const line of linesOf(stream, path)) {
      if (found++ >= limit) return
      yield matchOf(line, path)
    }
  } finally {
    forget()
    stream.destroy()
  }
}

// The owner controls these lines: the size of each is bounded and its content checked before use.
async function* linesOf(stream: Readable, path: OwnerPath): AsyncGenerator<string> {
  let rest = ''
  for await (const part of stream.setEncoding('utf8')) {
    const lines = (rest + String(part)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxRowBytes)
      throw HelperFailed(`${shown(path)}: the results of the search cannot be parsed`)
    yield* lines.filter((line) => line !== '')
  }
}

function matchOf(line: string, path: OwnerPath): SearchMatch {
  const row = parsed(line)
  if (!replies.foundRow.Check(row))
    throw HelperFailed(`${shown(path)}: the results of the search cannot be parsed`)
  const { name, ...bytes } = nameFields(row.path)
  const where = row.line === undefined ? {} : { line: row.line, text: printable(row.text ?? '') }
  return {
    path: name,
    ...('name_b64' in bytes ? { path_b64: bytes.name_b64 } : {}),
    type: row.type,
    ...where,
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // not a row either
  }
}
