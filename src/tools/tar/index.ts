import { tool } from '../tool.ts'
import { countChanged, listEntries } from './list-entries.ts'
import { pack, unpack } from './archive.ts'

export type { Listed } from './list-entries.ts'
export { withoutDevices } from './snapshot.ts'

/** GNU tar, which packs what has changed in a folder since the time of a snapshot file. Every Debian host has it. */
export const tar = tool({
  name: 'tar',
  title: 'GNU tar',
  packages: [],
  verbs: () => ({ countChanged, listEntries, pack, unpack }),
})
