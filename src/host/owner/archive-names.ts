import type { ArchiveFormat } from './confined/calls.ts'

const formats: Readonly<Record<string, ArchiveFormat>> = {
  '.zip': 'zip',
  '.7z': '7z',
  '.tar': 'tar',
  '.tar.gz': 'tar.gz',
  '.tgz': 'tar.gz',
  '.tar.zst': 'tar.zst',
  '.tar.xz': 'tar.xz',
  '.txz': 'tar.xz',
}

/** File name extensions and the archive formats that they stand for. */
export const archiveEndings = Object.keys(formats)

/** Returns the format that the extension of a name implies; undefined for an unknown extension. */
export function formatOf(name: string): ArchiveFormat | undefined {
  return Object.entries(formats).find(
    ([ending]) => name.toLowerCase().endsWith(ending) && name.length > ending.length,
  )?.[1]
}
