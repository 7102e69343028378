import type { Caller } from '../../core/caller.ts'
import { type Change, change, type Step, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { digestOf } from '../../host/files.ts'
import { type LiveConfig, refuseGainedPowers } from './config.ts'
import type { Lbproxy } from './context.ts'
import type { Backup } from './model.ts'
import { BackupMissing } from './problems.ts'
import { backupsLock, configLock } from './locks.ts'

const fileName = /^(?:manual|auto|pre-restore)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.cfg$/

/** The number of configurations replaced by a restore that are kept. */
const mostReplaced = 20

type BackupKind = 'manual' | 'auto' | 'pre-restore'

/** Lists the backups, newest first. */
export async function listBackups({ haproxy }: Lbproxy): Promise<Backup[]> {
  const names = (await haproxy.backups.list()).filter((name) => fileName.test(name))
  const found = await Promise.all(
    names.map(async (name) => ({
      name,
      size: (await haproxy.backups.sizeBytes(name)) ?? 0,
      date: dateOf(name),
    })),
  )
  return found.toSorted((one, other) => other.date.localeCompare(one.date))
}

/** Backs up the live configuration. */
export function createBackup(on: Lbproxy, { text }: LiveConfig, now: Date): Change<Backup> {
  const name = nameOf('manual', now)
  const reply = { name, size: Buffer.byteLength(text), date: now.toISOString() }
  return change({
    summary: 'Back up the configuration of the load balancer',
    locks: [backupsLock],
    steps: [writing(on, name, text)],
    reply,
  })
}

/** Removes a backup. */
export async function deleteBackup(on: Lbproxy, name: string): Promise<Change<{ success: true }>> {
  await readBackup(on, name)
  return change({
    summary: `Remove the backup ${name}`,
    locks: [backupsLock],
    steps: [writing(on, name, null)],
    reply: success,
  })
}

/**
 * First saves the live configuration, replacing the oldest one saved this way; HAProxy validates the backup
 * before it is activated.
 */
export async function restoreBackup(
  on: Lbproxy,
  live: LiveConfig,
  { name, caller, now }: { readonly name: string; readonly caller: Caller; readonly now: Date },
): Promise<Change<{ success: true }>> {
  const { haproxy } = on
  const content = await readBackup(on, name)
  refuseGainedPowers(on, { present: live.text, wanted: content }, caller)
  const replaced = (await haproxy.backups.list())
    .filter((each) => isBackup(each, 'pre-restore') && each !== name)
    .toSorted()
  const steps = [
    writing(on, nameOf('pre-restore', now), live.text),
    step(haproxy.steps.writeConfig, { content, over: digestOf(live.text) }),
    ...replaced.slice(0, 1 - mostReplaced).map((old) => writing(on, old, null)),
  ]
  return change({
    summary: `Restore the backup ${name}`,
    locks: [configLock, backupsLock],
    steps,
    reply: success,
  })
}

/** The step that writes a backup, or removes it where its content is null. */
export const writing = ({ haproxy }: Pick<Lbproxy, 'haproxy'>, name: string, content: string | null): Step =>
  step(haproxy.steps.writeFile, { directory: 'backups', name, content })

async function readBackup({ haproxy }: Lbproxy, name: string): Promise<string> {
  const content = fileName.test(name) ? await haproxy.backups.read(name) : undefined
  if (content === undefined)
    throw BackupMissing(`name: there is no backup ${JSON.stringify(name.slice(0, 255))}`)
  return content
}

/** Returns the name of a backup made at this time. */
export const nameOf = (kind: BackupKind, now: Date) =>
  `${kind}-${now.toISOString().replaceAll(/[-:.]/g, '')}.cfg`

/** Returns the time of a backup according to its name. */
const dateOf = (name: string) => name.replace(fileName, '$1-$2-$3T$4:$5:$6.$7Z')

/** True if a file is a backup of this kind. */
export const isBackup = (name: string, kind: BackupKind) => fileName.test(name) && name.startsWith(`${kind}-`)
