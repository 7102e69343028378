import { lstat, realpath, stat } from 'node:fs/promises'
import { about, failureOf, Refusal, type ByteString } from './calls.ts'
import { join, local, nameOf, parentOf } from './paths.ts'

interface Wanted {
  readonly from: ByteString
  readonly to: ByteString
  readonly overwrite: boolean
  /** True if an existing folder at `to` takes the source in, as with cp and mv. */
  readonly into: boolean
}

/** Returns the destination of a move or copy; refuses a name that is taken, and a folder inside itself. */
export async function placeFor(
  wanted: Wanted,
): Promise<{ readonly from: ByteString; readonly to: ByteString }> {
  const [from, given] = [bare(wanted.from), bare(wanted.to)]
  if (from === '') throw new Refusal('BADPATH', from, 'the home itself stays where it is')
  const there = await stat(local(given)).catch(() => undefined)
  const isFolder = there?.isDirectory() === true
  if (!isFolder && wanted.to.endsWith('/'))
    throw new Refusal(there === undefined ? 'ENOENT' : 'ENOTDIR', wanted.to)
  const to = wanted.into && isFolder ? join(given, nameOf(from)) : given
  const found = await lstat(local(from)).catch(about(wanted.from))
  const existing = await lstat(local(to)).catch((error) =>
    failureOf(error).code === 'ENOENT' ? undefined : about(to)(error),
  )
  if (existing !== undefined && !wanted.overwrite) throw new Refusal('EEXIST', to)
  if (existing?.isDirectory() === true)
    throw new Refusal('EEXIST', to, 'a folder exists there and is not replaced')
  if (!(await stat(local(parentOf(to))).catch(about(parentOf(to)))).isDirectory())
    throw new Refusal('ENOTDIR', to)
  if (found.isDirectory()) await refuseInsideItself(from, to, given)
  if (found.isDirectory() && existing !== undefined)
    throw new Refusal('EEXIST', to, 'a file exists at the destination of the folder')
  return { from, to }
}

/** Returns a path without its trailing slash. */
export function bare(path: ByteString): ByteString {
  return path.replace(/\/+$/, '')
}

async function refuseInsideItself(from: ByteString, to: ByteString, given: ByteString): Promise<void> {
  const real = (path: ByteString) =>
    realpath(local(path), { encoding: 'latin1' as BufferEncoding }).catch(about(path))
  const [folder, target] = [await real(from), await real(parentOf(to))]
  if (`${target}/`.startsWith(`${folder}/`))
    throw new Refusal('EINVAL', given, 'a folder cannot go into itself')
}
