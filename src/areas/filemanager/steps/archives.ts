import { namesOf, type TextPath } from '../paths.ts'
import type { OwnerOf } from './files.ts'
import { ownerStep } from './owner-step.ts'

interface CompressArgs {
  readonly username: string
  readonly paths: readonly TextPath[]
  readonly archive: string
}

interface ExtractArgs {
  readonly username: string
  readonly archive: TextPath
  readonly dest: TextPath
}

/** The steps that pack and unpack archives. Nothing takes its place before all of it was written, or unpacked and checked. */
export function archiveSteps(ownerOf: OwnerOf) {
  return {
    compress: ownerStep(ownerOf, {
      name: 'compress',
      title: ({ paths, archive }: CompressArgs) => `Pack ${namesOf(paths)} into ${archive}`,
      act: (owner, { paths, archive }, signal) => owner.archives.compress(paths, archive, { signal }),
    }),
    extract: ownerStep(ownerOf, {
      name: 'extract',
      title: ({ archive, dest }: ExtractArgs) => `Unpack ${archive.path} into ${dest.path || 'the top'}`,
      irreversible: 'files that it replaces are not kept',
      act: (owner, { archive, dest }, signal) => owner.archives.extract(archive, dest, { signal }),
    }),
  }
}
