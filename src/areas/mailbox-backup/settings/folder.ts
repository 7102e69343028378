import type { MailboxBackup } from '../parts.ts'
import { SettingInvalid } from '../problems.ts'

const mostBytes = 1000
const mostPartBytes = 255

type On = Pick<MailboxBackup, 'files' | 'homeRoot' | 'defaultDataDir'>

/** Returns a folder for the backups as it is stored, empty for the default one; throws SettingInvalid where none may be. */
export async function folderOf(on: On, path: string): Promise<string> {
  const folder = path.replaceAll(/\/+/g, '/').replace(/\/$/, '')
  if (path === '' || folder === on.defaultDataDir) return ''
  assertPath(on, folder)
  await assertOnlyRootWrites(on, folder)
  return folder
}

/** A folder of a hosting user, or one of the system, is none for backups. */
function assertPath({ homeRoot, defaultDataDir }: On, folder: string): void {
  const parts = folder.split('/')
  if (parts.some((part) => part === '.' || part === '..'))
    throw SettingInvalid('data_dir: must not contain . or .. as a part')
  if (parts.length < 3)
    throw SettingInvalid('data_dir: must be a folder within another one, such as /var/backups/mailboxes')
  if (Buffer.byteLength(folder) > mostBytes || parts.some((part) => Buffer.byteLength(part) > mostPartBytes))
    throw SettingInvalid(
      `data_dir: must have at most ${mostBytes} bytes, and at most ${mostPartBytes} in each part`,
    )
  if (`${folder}/`.startsWith(`${homeRoot}/`))
    throw SettingInvalid(`data_dir: must not be below ${homeRoot}, where hosting users write`)
  const ofPanel = defaultDataDir.replace(/\/[^/]*$/, '')
  if (ofPanel !== '' && `${folder}/`.startsWith(`${ofPanel}/`))
    throw SettingInvalid(`data_dir: must not be in ${ofPanel}, but for ${defaultDataDir}`)
  if (/^\/(?:bin|boot|dev|etc|lib\w*|proc|run|sbin|sys|tmp|usr|var\/(?:spool|tmp))\//.test(`${folder}/`))
    throw SettingInvalid('data_dir: must not be in a folder of the system')
}

/** Somebody else who can write on the way to the backups could read them, or have root write elsewhere. */
async function assertOnlyRootWrites({ files }: On, folder: string): Promise<void> {
  const parts = folder.split('/')
  for (let count = 2; count <= parts.length; count += 1) {
    const path = parts.slice(0, count).join('/')
    const facts = await files.facts(path)
    if (facts === undefined) return // the panel makes it
    if (facts.kind === 'link')
      throw SettingInvalid(`data_dir: ${path} is a link: name the folder that it leads to`)
    if (facts.kind !== 'directory') throw SettingInvalid(`data_dir: ${path} is not a folder`)
    const isForeign = facts.uid !== 0 && facts.uid !== process.getuid?.()
    const isOpen = (facts.mode & 0o002) !== 0 || ((facts.mode & 0o020) !== 0 && facts.gid !== 0)
    if (isForeign || isOpen)
      throw SettingInvalid(`data_dir: ${path} must belong to root, and nobody else may write in it`)
  }
}

/** Throws SettingInvalid where the folder is no longer what it was when it was set. */
export async function assertFolder(on: On, dataDir: string): Promise<void> {
  if (dataDir !== on.defaultDataDir) await assertOnlyRootWrites(on, dataDir)
}
