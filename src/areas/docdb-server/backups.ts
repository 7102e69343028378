import Type from 'typebox'
import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { Text } from '../../core/schemas.ts'
import { sizeText } from '../../core/size-text.ts'
import { backupNameOf, isBackupName } from '../../tools/mongodb/index.ts'
import { type DocdbServer, serverLock, work } from './context.ts'
import { DocdbBackedUp, type DocdbBackups, DocdbRestored } from './model.ts'
import { BadBackupName, NoSuchBackup } from './problems.ts'
import { assertUsable } from './server.ts'

/** How many backups are kept. */
const mostBackups = 10
const timeoutMs = 12 * 3_600_000
const longWork = { timeoutMs, attempts: 1, resumes: false } as const

/** Lists the backups, the newest first. */
export async function listBackups({ tool }: DocdbServer): Promise<DocdbBackups> {
  const found = await tool.listBackups(mostBackups)
  const backups = found.map(({ name, sizeBytes }) => ({
    name,
    date: dateOf(name),
    size: sizeText(sizeBytes),
  }))
  return { backups }
}

/** `2026-11-28_133000-123` is `2026-11-28 13:30`. */
const dateOf = (name: string): string => `${name.slice(0, 10)} ${name.slice(11, 13)}:${name.slice(13, 15)}`

/** Names the backup that a request begins. */
export const draftBackup = (now: Date) => ({ name: backupNameOf(now) })

/** Writes a backup of all databases, and removes the oldest beyond those that are kept. */
export const backingUp = work({
  kind: 'docdb-server.backup',
  input: Type.Object({ name: Text(100) }),
  reply: DocdbBackedUp,
  ...longWork,
  decide: async ({ input: { name }, docdbServer: on }) => {
    await assertUsable(on)
    return change({
      summary: 'Back up the document database server',
      locks: [serverLock],
      steps: [step(on.tool.steps.dumpAll, { name }), ...(await surplusSteps(on, []))],
      reply: { ...success, backup: name },
    })
  },
})

/** Removes the oldest backups, so that one more has room. A backup that is read meanwhile stays. */
async function surplusSteps({ tool }: DocdbServer, kept: readonly string[]) {
  const names = await tool.listBackupNames()
  const surplus = names.slice(mostBackups - 1).filter((each) => !kept.includes(each))
  return surplus.map((each) => step(tool.steps.removeBackup, { name: each }))
}

/** Checks the name of the backup, and names the safety backup that a request begins. */
export function draftRestore(backup: string, now: Date) {
  if (!isBackupName(backup))
    throw BadBackupName('backup: must be the name of a backup of the list, such as 2026-11-28_133000-123')
  return { backup, safety: backupNameOf(now, '-before-restore') }
}

/** Replaces the databases of a backup, after a safety backup from which a restore that fails is put back. */
export const restoring = work({
  kind: 'docdb-server.restore',
  input: Type.Object({ backup: Text(100), safety: Text(100) }),
  reply: DocdbRestored,
  ...longWork,
  decide: async ({ input: { backup, safety }, docdbServer: on }) => {
    const { tool } = on
    await assertBackup(on, backup)
    await assertUsable(on)
    return change({
      summary: `Restore the backup ${backup} of the document database server`,
      locks: [serverLock],
      steps: [
        step(tool.steps.dumpAll, { name: safety }),
        step(tool.steps.restoreAll, { name: backup, safety }),
        ...(await surplusSteps(on, [backup])),
      ],
      reply: {
        ...success,
        message: `The databases of ${backup} were restored. Their former state is the backup ${safety}`,
      },
    })
  },
})

/** Removes a backup. */
export async function deleteBackup(on: DocdbServer, name: string): Promise<Change<{ success: true }>> {
  await assertBackup(on, name)
  return change({
    summary: `Remove the backup ${name} of the document database server`,
    locks: [serverLock],
    steps: [step(on.tool.steps.removeBackup, { name })],
    reply: success,
  })
}

async function assertBackup({ tool }: DocdbServer, name: string): Promise<void> {
  if (!(await tool.listBackupNames()).includes(name)) throw NoSuchBackup(`There is no backup ${name}`)
}
