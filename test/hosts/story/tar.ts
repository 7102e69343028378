import { gzipSync } from 'node:zlib'

/** One entry of an archive as an attacker writes it: nothing is checked. */
export interface TarEntry {
  readonly name: string
  readonly content?: string | Uint8Array
  /** ustar's type flag: 0 file, 1 hard link, 2 symbolic link, 3 character device, 4 block device, 5 folder, 6 fifo. */
  readonly type?: '0' | '1' | '2' | '3' | '4' | '5' | '6'
  readonly linkTo?: string
  readonly mode?: number
}

/** A tar.gz with exactly these entries. */
export function tarGz(entries: readonly TarEntry[]): Buffer {
  return gzipSync(Buffer.concat([...entries.flatMap(blocksOf), Buffer.alloc(1024)]))
}

function blocksOf({ name, content = '', type = '0', linkTo = '', mode = 0o644 }: TarEntry): Buffer[] {
  const bytes = Buffer.from(content)
  const header = Buffer.alloc(512)
  const octal = (value: number, at: number, width: number) =>
    header.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at)
  header.write(name, 0, 100)
  octal(mode, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(bytes.length, 124, 12)
  octal(0, 136, 12)
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  header.write(linkTo, 157, 100)
  header.write('ustar\x0000', 257)
  octal(1, 329, 8)
  octal(3, 337, 8)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
}
