import { Refusal } from './calls.ts'
import { blockBytes, isHeader } from './tar-headers.ts'

/** The way in which an archive is read. */
export type ArchiveKind = 'zip' | '7z' | 'gzip' | 'zstd' | 'xz' | 'tar'

const known: readonly (readonly [kind: ArchiveKind, start: RegExp])[] = [
  ['zip', /^PK(\x03\x04|\x05\x06)/],
  ['7z', /^7z\xbc\xaf'\x1c/],
  ['gzip', /^\x1f\x8b/],
  ['zstd', /^(\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18)/], // a frame, or a skippable frame, with which pzstd output begins
  ['xz', /^\xfd7zXZ\x00/],
]

const foreign: readonly (readonly [name: string, start: RegExp])[] = [
  ['bzip2', /^BZh[1-9]/],
  ['lzip', /^LZIP/],
  ['lz4', /^\x04\x22\x4d\x18/],
  ['lzop', /^\x89LZO\0/],
  ['lzma', /^\x5d\0\0[^]{2}/],
  ['rar', /^Rar!\x1a\x07/],
  ['compress (.Z)', /^\x1f\x9d/],
  ['cpio', /^(07070[127]|\xc7\x71|\x71\xc7)/],
  ['cabinet', /^MSCF\0/],
  ['ar', /^!<arch>\n/],
]

/** Determines an archive's kind from its first 512 bytes, not from its name; names an unsupported kind in the refusal. */
export function kindOf(start: Buffer): ArchiveKind {
  if (start.length === blockBytes && isHeader(start)) return 'tar' // checked first: the first entry's name may begin with the magic bytes of another kind
  const text = start.toString('latin1')
  const kind = known.find(([, magic]) => magic.test(text))?.[0]
  if (kind !== undefined) return kind
  const name = foreign.find(([, magic]) => magic.test(text))?.[0]
  if (name !== undefined)
    throw new Refusal(
      'REFUSED',
      undefined,
      `${name} is not supported; supported are zip, 7z and tar, also compressed by gzip, zstd or xz`,
    )
  return 'tar'
}
