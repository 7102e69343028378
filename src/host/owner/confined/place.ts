import { lstat, realpath, stat } from 'node:fs/promises'
import { about, failureOf, Refusal, type ByteString } from './calls.ts'
import { join, local, nameOf, parentOf } from './paths.ts'

interface Wanted {
  readonly from: ByteString
  readonly to: ByteString
  readonly overwrite: boolean
  /** Whether a folder that stands at `to` takes it in, as cp and mv do. */
  readonly into: boolean
}

/** Where something that is moved or copied goes; refuses a name that is taken, and a folder inside of itself. */
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
  const standing = await lstat(local(to)).catch((error) =>
    failureOf(error).code === 'ENOENT' ? undefined : about(to)(error),
  )
  if (standing !== undefined && !wanted.overwrite) throw new Refusal('EEXIST', to)
  if (standing?.isDirectory() === true)
    throw new Refusal('EEXIST', to, 'a folder stands there: it is not replaced')
  if (!(await stat(local(parentOf(to))).catch(about(parentOf(to)))).isDirectory())
    throw new Refusal('ENOTDIR', to)
  if (found.isDirectory()) await refuseInsideItself(from, to, given)
  if (found.isDirectory() && standing !== undefined)
    throw new Refusal('EEXIST', to, 'a file stands where the folder would go')
  return { from, to }
}

/** A path without the slash at its end. */
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
