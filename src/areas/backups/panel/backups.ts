import type { Readable } from 'node:stream'
import Type from 'typebox'
import type { Deciding } from '../../../core/endpoint.ts'
import { type Change, change, type Step, step } from '../../../core/change.ts'
import { singleLock } from '../../../core/lock.ts'
import { from } from '../../../core/returned.ts'
import { type Bytes, success } from '../../../core/reply.ts'
import type { BackupsArea } from '../context.ts'
import { work } from '../context.ts'
import type { PanelBackup, PanelBackupMade, Pulled, Restored, UploadedBackup } from './model.ts'
import { type BackupType, assertPlain, isBackupName, isEncrypted, nameOf, typeOf } from './names.ts'
import * as problems from './problems.ts'
import { remoteBackups } from './put-step.ts'
import { scheduleName } from './scheduled.ts'

const panelLock = singleLock('panel-backups')

type On = Pick<BackupsArea, 'panel'>
type At = Pick<Deciding, 'now'>

/** Lists the backups of the panel on this host, the newest first. */
export async function listBackups({ panel }: On): Promise<PanelBackup[]> {
  const names = (await panel.files.list(panel.directory)).filter(isBackupName)
  const found = await Promise.all(names.map((name) => describe({ panel }, name)))
  return found
    .flatMap((each) => each ?? [])
    .toSorted((one, other) => other.created_at.localeCompare(one.created_at))
}

async function describe({ panel }: On, filename: string): Promise<PanelBackup | undefined> {
  const path = `${panel.directory}/${filename}`
  const [facts, at] = await Promise.all([panel.files.facts(path), panel.files.changedAt(path)])
  if (facts?.kind !== 'file' || at === undefined) return undefined
  return {
    filename,
    type: typeOf(filename),
    size_bytes: facts.sizeBytes,
    encrypted: isEncrypted(filename),
    created_at: timeIn(filename) ?? at.toISOString(),
  }
}

/** Backups that were fetched or uploaded tell by their name when they were made. */
const timeIn = (filename: string): string | undefined =>
  /-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\./.exec(filename) === null
    ? undefined
    : filename.replace(/^.*-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\..*$/, '$1-$2-$3T$4:$5:$6.$7Z')

/** Returns the name of the next backup, encrypted as the settings say, and whether it is copied to S3. */
async function draft({ panel }: On, kind: Parameters<typeof nameOf>[0], type: BackupType, { now }: At) {
  const { encryptsLocal, isRemote } = await panel.settings.read()
  return { filename: `${nameOf(kind, type, now)}${encryptsLocal ? '.gpg' : ''}`, sends: isRemote }
}

/** Backs up the panel. */
export async function createBackup(
  { panel }: On,
  type: BackupType,
  { now }: At,
): Promise<Change<PanelBackupMade>> {
  const { filename, sends } = await draft({ panel }, 'panel', type, { now })
  return change({
    summary: 'Back up the panel',
    locks: [panelLock],
    steps: [step(panel.put, { filename, from: 'panel', sends })],
    reply: ({ results: [result] }) => ({
      filename,
      type,
      size_bytes: result.size_bytes,
      encrypted: isEncrypted(filename),
      created_at: now.toISOString(),
      remote: result.remote,
      remote_error: result.remote_error,
    }),
  })
}

/** Opens a backup to be sent. */
export async function openBackup({ panel }: On, filename: string): Promise<Bytes> {
  assertPlain(filename)
  const opened = isBackupName(filename) ? await panel.files.open(`${panel.directory}/${filename}`) : undefined
  if (opened === undefined) throw problems.BackupMissing(`there is no backup ${filename}`)
  return { ...opened, mediaType: 'application/octet-stream', fileName: filename }
}

/** Deletes a backup on this host. */
export async function deleteBackup(on: On, filename: string): Promise<Change<{ success: true }>> {
  if (!(await exists(on, filename))) throw problems.DeleteFailed(`filename: there is no backup ${filename}`)
  return change({
    summary: `Delete the backup ${filename}`,
    locks: [panelLock],
    steps: [step(on.panel.drop, { filename })],
    reply: success,
  })
}

const exists = async ({ panel }: On, filename: string): Promise<boolean> =>
  isBackupName(filename) && (await panel.files.facts(`${panel.directory}/${filename}`))?.kind === 'file'

/** Stores a backup that somebody sends. */
export function receiveBackup(
  { panel }: On,
  { fileName = '', stream }: { readonly fileName: string | undefined; readonly stream: Readable },
): Change<UploadedBackup> {
  if (!/\.(?:db|tar\.gz|gpg)$/.test(fileName))
    throw problems.UploadInvalid('file: its name must end in .db, .tar.gz or .gpg')
  if (!isBackupName(fileName))
    throw problems.UploadInvalid('file: its name must have letters, digits, ., _ and -, at most 200')
  return change({
    summary: `Store the backup ${fileName}`,
    locks: [panelLock],
    steps: [step(panel.put, { filename: fileName, from: 'upload', sends: false }, stream)],
    reply: { type: typeOf(fileName) },
  })
}

/** Fetches the backups on S3 that this host does not have. */
export async function pullBackups({ panel }: On, signal: AbortSignal): Promise<Change<Pulled>> {
  const remote = await remoteBackups(panel, signal)
  const wanted: Step[] = []
  for (const [filename, key] of remote)
    if (isBackupName(filename) && !(await exists({ panel }, filename)))
      wanted.push(step(panel.put, { filename, from: { key }, sends: false }))
  return change({
    summary: 'Fetch the backups of the panel from S3',
    locks: [panelLock],
    steps: wanted,
    reply: { count: wanted.length },
  })
}

/** Backs up the panel as it is, then has it start with a backup. */
export async function restoreBackup(
  { panel }: On,
  { filename, passphrase, now }: At & { readonly filename: string; readonly passphrase: string | undefined },
): Promise<Change<Restored>> {
  if (!(await exists({ panel }, filename)))
    throw problems.RestoreFailed(`filename: there is no backup ${filename.slice(0, 200)}`)
  if (isEncrypted(filename) && passphrase === undefined) throw problems.PassphraseRequired()
  const safety = await draft({ panel }, 'before-restore', 'full', { now })
  return change({
    summary: `Restore the panel from ${filename}`,
    locks: [panelLock],
    steps: [
      step(panel.put, { filename: safety.filename, from: 'panel', sends: false }),
      step(panel.stage, { filename }, passphrase),
    ],
    reply: ({ results: [, missing] }) => ({
      success: true,
      pre_restore_file: safety.filename,
      message:
        'The panel restarts with the backup in 3 seconds: sign in again, then rewrite the files of the websites',
      ...missing,
    }),
  })
}

/** The backup of the schedule: removes the oldest ones beyond the number to keep. */
export const backingUp = work({
  kind: scheduleName,
  input: Type.Object({}),
  reply: Type.Object({ filename: Type.String(), remote_error: Type.String() }),
  timeoutMs: 3_600_000,
  attempts: 1,
  resumes: true,
  decide: async ({ now, backups: on }) => {
    const { filename, sends } = await draft(on, 'auto', 'full', { now })
    const { keep } = await on.panel.settings.read()
    const kept = (await on.panel.files.list(on.panel.directory)).filter((name) => name.startsWith('auto-'))
    const old = [...kept.toSorted(), filename].slice(0, -keep)
    const made = step(on.panel.put, { filename, from: 'panel', sends })
    return change({
      summary: 'Back up the panel',
      locks: [panelLock],
      steps: [made, ...old.map((each) => step(on.panel.drop, { filename: each }))],
      reply: { filename, remote_error: from(made, 'remote_error') },
    })
  },
})
