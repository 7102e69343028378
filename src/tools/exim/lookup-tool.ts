import { Unavailable } from '../../core/problem.ts'
import type { EditedTool } from '../../host/apply/edited-tool.ts'
import type { FileRights } from '../../host/files.ts'
import type { Host } from '../../host/index.ts'
import { findObstacle } from './config-tool.ts'
import { group } from './layout.ts'

/** Returns a file that Exim searches for each message, as the tool that `host.applyEdit` uses. */
export function lookupTool(
  { files }: Pick<Host, 'files'>,
  path: string,
  kind: 'secret' | 'public',
): EditedTool {
  return {
    name: 'exim',
    kind: 'edited',
    path,
    checkCommand: [],
    isReadOnDemand: true,
    assertAvailable: async () => {
      const obstacle = await findObstacle({ files })
      if (obstacle !== undefined) throw Unavailable(obstacle)
    },
    check: async () => undefined,
    activate: async () => ({ outcome: 'live', message: '' }),
    isServed: async () => true,
    ...(kind === 'secret' && {
      rights: async () => secretRights(groupNumber((await files.read('/etc/group')) ?? '')),
    }),
  }
}

/** Root writes it and Exim reads it; nobody else does, whoever could until now. */
const secretRights = (gid: number): FileRights => ({ uid: 0, gid, mode: 0o640 })

/** The number of Exim's group (group(5)); that of root if there is none. */
const groupNumber = (text: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${group}:`))
      ?.split(':')[2] ?? 0,
  )
