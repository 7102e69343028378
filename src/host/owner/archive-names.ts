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

/** The endings by which an archive's name says its format. */
export const archiveEndings = Object.keys(formats)

/** The format that a name says; nothing where it says none. */
export function formatOf(name: string): ArchiveFormat | undefined {
  return Object.entries(formats).find(
    ([ending]) => name.toLowerCase().endsWith(ending) && name.length > ending.length,
  )?.[1]
}
