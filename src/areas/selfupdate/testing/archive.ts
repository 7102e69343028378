import { gzipSync } from 'node:zlib'

/** An entry of an archive; a link has a type and a target. */
export interface ArchiveEntry {
  readonly name: string
  readonly text?: string
  readonly type?: string
}

/** Returns a gzipped ustar archive, also one that no release would be. */
export function archiveOf(entries: readonly ArchiveEntry[]): Buffer {
  return gzipSync(Buffer.concat([...entries.map(entryOf), Buffer.alloc(1024)]))
}

function entryOf({ name, text = '', type = '0' }: ArchiveEntry): Buffer {
  const header = Buffer.alloc(512)
  const content = Buffer.from(text)
  header.write(name, 0)
  header.write('0000644\0', 100)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}
