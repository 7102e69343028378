import { detectByVersion } from '../detection.ts'
import { tool } from '../tool.ts'
import { extendVolume, growFileSystem } from './extend.ts'
import { readStorage } from './volumes.ts'

export { ExtendFailed, ResizeFailed } from './problems.ts'
export { isGrowable } from './extend.ts'
export type { LogicalVolume, Storage } from './volumes.ts'

/** LVM, which divides disks into volumes that can grow. */
export const lvm = tool({
  name: 'lvm',
  title: 'LVM',
  packages: ['lvm2'],
  isOptional: true,
  detect: detectByVersion(['lvs', '--version']),
  steps: ({ host }) => ({ extendVolume: extendVolume(host), growFileSystem: growFileSystem(host) }),
  verbs: ({ host }) => ({
    /** Lists the groups and volumes; undefined where LVM is not installed. */
    readStorage: () => readStorage(host),
  }),
})
