import { failed, limits } from './account-failures.ts'
import type { Files } from './files.ts'
import type { PasswdEntry } from './passwd.ts'
import type { Run } from './run.ts'

/** Where an account may own files outside its home; /var/spool has its crontab, its at jobs and its queued mail. */
export const leftoverFolders = ['/tmp', '/var/tmp', '/dev/shm', '/var/spool'] as const

/**
 * Removes what an account owns outside its home and what would start programs for it later: userdel(8) leaves both,
 * for the next account with this uid or name. A folder with files of others stays.
 */
export async function removeLeftovers(
  { run, files }: { readonly run: Run; readonly files: Files },
  { username, uid }: PasswdEntry,
): Promise<void> {
  await files.remove(`/var/lib/systemd/linger/${username}`)
  const found = await Promise.all(leftoverFolders.map((folder) => files.facts(folder)))
  const folders = leftoverFolders.filter((_folder, index) => found[index] !== undefined)
  if (folders.length === 0) return
  const owned = ['-uid', String(uid), '(', '!', '-type', 'd', '-o', '-empty', ')']
  // -delete removes by the open folder and follows no link (find(1), "security considerations")
  const argv = [
    'find',
    '-P',
    ...folders,
    '-ignore_readdir_race',
    '-xdev',
    '-depth',
    ...owned,
    '-delete',
  ] as const
  const { code, stderr } = await run(argv, { ...limits, timeoutMs: 10 * 60_000 })
  if (code !== 0) throw failed(username, 'find', code, stderr)
}
