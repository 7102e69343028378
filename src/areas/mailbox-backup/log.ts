import type { MailboxLog } from './model.ts'
import type { MailboxBackup } from './parts.ts'

const keptLines = 1000
const shownLines = 100

const fileOf = (dataDir: string) => `${dataDir}/mailbox-backup.log`

/** Adds a line to the log of the runs, with the time; what it says is kept on one line. */
export async function writeLog(
  { files }: Pick<MailboxBackup, 'files'>,
  dataDir: string,
  text: string,
): Promise<void> {
  const line = `${new Date().toISOString()} ${text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 1000)}`
  const earlier = await readLines({ files }, dataDir)
  if ((await files.facts(dataDir)) === undefined) await files.makeDirectory(dataDir, { mode: 0o700 })
  const lines = [...earlier.slice(1 - keptLines), line]
  await files.write(fileOf(dataDir), `${lines.join('\n')}\n`, { rights: { mode: 0o600 } })
}

async function readLines({ files }: Pick<MailboxBackup, 'files'>, dataDir: string): Promise<string[]> {
  return ((await files.read(fileOf(dataDir))) ?? '').split('\n').filter((line) => line !== '')
}

/** Returns the last 100 lines of the log; none where it does not exist. */
export async function readLog(on: MailboxBackup): Promise<MailboxLog> {
  const { dataDir } = await on.settings.read()
  const lines = await readLines(on, dataDir)
  return { log_file: fileOf(dataDir), lines: lines.slice(-shownLines) }
}
