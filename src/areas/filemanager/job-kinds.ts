/** Kinds of jobs on files, by their stored names. */
export const compressKind = 'filemanager.compress'
export const extractKind = 'filemanager.extract'
export const placeKinds = { copy: 'filemanager.copy', move: 'filemanager.move' } as const
export const downloadKind = 'filemanager.download'
export const vcsKinds = {
  clone: 'filemanager.vcs_clone',
  pull: 'filemanager.vcs_pull',
  push: 'filemanager.vcs_push',
} as const
