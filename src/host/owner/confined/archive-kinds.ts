import { Refusal } from './calls.ts'
import { blockBytes, isHeader } from './tar-headers.ts'

/** How an archive is read. */
export type ArchiveKind = 'zip' | '7z' | 'gzip' | 'zstd' | 'xz' | 'tar'

const known: readonly (readonly [kind: ArchiveKind, start: RegExp])[] = [
  ['zip', /^PK(\x03\x04|\x05\x06)/], // oxlint-disable-line no-control-regex
  ['7z', /^7z\xbc\xaf'\x1c/],
  ['gzip', /^\x1f\x8b/], // oxlint-disable-line no-control-regex
  ['zstd', /^(\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18)/], // a frame, or one to be passed over, as pzstd begins
  ['xz', /^\xfd7zXZ\x00/], // oxlint-disable-line no-control-regex
]

const foreign: readonly (readonly [name: string, start: RegExp])[] = [
  ['bzip2', /^BZh[1-9]/],
  ['lzip', /^LZIP/],
  ['lz4', /^\x04\x22\x4d\x18/], // oxlint-disable-line no-control-regex
  ['lzop', /^\x89LZO\0/], // oxlint-disable-line no-control-regex
  ['lzma', /^\x5d\0\0[^]{2}/], // oxlint-disable-line no-control-regex
  ['rar', /^Rar!\x1a\x07/], // oxlint-disable-line no-control-regex
  ['compress (.Z)', /^\x1f\x9d/], // oxlint-disable-line no-control-regex
  ['cpio', /^(07070[127]|\xc7\x71|\x71\xc7)/],
  ['cabinet', /^MSCF\0/], // oxlint-disable-line no-control-regex
  ['ar', /^!<arch>\n/],
]

/** Tells an archive's kind from its first 512 bytes, not from its name; refuses a kind that nobody here reads by its name. */
export function kindOf(start: Buffer): ArchiveKind {
  if (start.length === blockBytes && isHeader(start)) return 'tar' // the first name in it may begin as anything
  const text = start.toString('latin1')
  const kind = known.find(([, magic]) => magic.test(text))?.[0]
  if (kind !== undefined) return kind
  const name = foreign.find(([, magic]) => magic.test(text))?.[0]
  if (name !== undefined)
    throw new Refusal(
      'REFUSED',
      undefined,
      `${name} is not supported: zip, 7z and tar, also by gzip, zstd or xz, are`,
    )
  return 'tar'
}
