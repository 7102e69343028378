import { accessSync, constants } from 'node:fs'
import { Refusal, type ByteString, type FoundRow, type SearchCall } from './calls.ts'
import { trash, unfinished } from './paths.ts'
import { runTool } from './tool.ts'

const maxLineBytes = 64 * 1024
const shownBytes = 300

/** The programs that find lines; ripgrep if the host has it. */
export type Finder = 'rg' | 'grep'

/** Finds lines of text files. The search programs skip binary files themselves; links are not followed. */
export async function searchLines(
  call: SearchCall,
  folder: ByteString,
  {
    add,
    signal,
    finder = hasRipgrep() ? 'rg' : 'grep',
  }: { readonly add: (row: FoundRow) => void; readonly signal: AbortSignal; readonly finder?: Finder },
): Promise<void> {
  const matches = new Matches((path, found) => {
    const colon = found.indexOf(':')
    const text = Buffer.from(found.slice(colon + 1, colon + 1 + shownBytes), 'latin1').toString('utf8')
    add({
      path: path.replace(stopped, '').replace(/^\.\//, ''),
      type: 'file',
      line: Number(found.slice(0, colon)),
      text,
    })
  })
  const command = finder === 'rg' ? ripgrep(call) : grep(call)
  // By stdin, because a name may be any bytes, and Node passes arguments only as UTF-8.
  const input = Buffer.from(folder === '' ? '.\0' : `./${folder}\0`, 'latin1')
  const { code, message } = await runTool(
    'xargs',
    ['--null', '--', ...command, '--'],
    { input, onOutput: (part) => matches.push(part) },
    { signal },
  )
  const isFine = code === 0 || (code === 123 && message === '') // 123: nothing was found
  if (!isFine) throw new Refusal('EIO', call.path, message || `${finder} could not be run`)
}

function ripgrep({ query, matchCase, files }: SearchCall): string[] {
  return [
    '/usr/bin/rg',
    ...[
      '--no-config',
      '--no-ignore',
      '--hidden',
      '--no-follow',
      '--no-messages',
      '--no-mmap',
      '--no-pre',
      '--no-search-zip',
      '--encoding=none',
    ],
    ...[
      '--color=never',
      '--no-heading',
      '--with-filename',
      '--line-number',
      '--null',
      '--threads=2',
      '--fixed-strings',
    ],
    ...(isAscii(query) ? ['--no-unicode'] : []),
    matchCase ? '--case-sensitive' : '--ignore-case',
    ...(files === undefined ? [] : [`--glob=${text(files)}`]),
    ...[`--glob=!${trash}`, `--glob=!${unfinished}*`],
    `--regexp=${text(query)}`,
  ]
}

function grep({ query, matchCase, files }: SearchCall): string[] {
  return [
    // letters of other alphabets have cases only in a UTF-8 locale, in which files of other encodings count as binary
    ...(matchCase || isAscii(query) ? [] : ['/usr/bin/env', 'LC_ALL=C.UTF-8']),
    '/usr/bin/grep',
    ...['--recursive', '--binary-files=without-match', '--devices=skip', '--fixed-strings', '--no-messages'],
    ...['--line-number', '--null', '--with-filename', ...(matchCase ? [] : ['--ignore-case'])],
    ...(files === undefined ? [] : [`--include=${text(files)}`]),
    ...[`--exclude-dir=${trash}`, `--exclude-dir=${unfinished}*`, `--exclude=${unfinished}*`],
    `--regexp=${text(query)}`,
  ]
}

function hasRipgrep(): boolean {
  try {
    accessSync('/usr/bin/rg', constants.X_OK)
    return true
  } catch {
    return false
  }
}

function isAscii(bytes: ByteString): boolean {
  return !/[\x80-\xff]/.test(bytes)
}

function text(bytes: ByteString): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

// Message of ripgrep on a file with a NUL after matching lines; printed before the next path.
const stopped = /^(?:.*: WARNING: stopped searching binary file after match \(found .*\)\n)+/

/** Splits output into paths, which end with NUL, and lines; of a line that is too long only the start is kept. */
class Matches {
  readonly #take: (path: ByteString, found: ByteString) => void
  #path: ByteString | undefined
  #rest = ''

  constructor(take: (path: ByteString, found: ByteString) => void) {
    this.#take = take
  }

  push(part: Buffer): void {
    const text = part.toString('latin1')
    for (let at = 0; at < text.length;) {
      const end = text.indexOf(this.#path === undefined ? '\0' : '\n', at)
      this.#rest = (this.#rest + text.slice(at, end < 0 ? undefined : end)).slice(0, maxLineBytes)
      if (end < 0) return
      at = end + 1
      if (this.#path !== undefined) this.#take(this.#path, this.#rest)
      this.#path = this.#path === undefined ? this.#rest : undefined
      this.#rest = ''
    }
  }
}
