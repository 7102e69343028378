import { buffer } from 'node:stream/consumers'
import { Problem, type ProblemKind } from '../../core/problem.ts'
import { type Owner, ownerProblems } from '../../host/owner/index.ts'
import { KeysUnreadable } from './problems.ts'

const folder = '.ssh'
const path = `${folder}/authorized_keys`
const maxBytes = 1024 * 1024
const attempts = 5

/** A character for each byte, so that lines in any encoding stay as they are. */
const encoding = 'latin1'

interface Found {
  readonly text: string
  readonly etag: string | undefined
}

/** Reads the authorized_keys of an owner; empty if there is none. */
export const readKeys = async (owner: Owner): Promise<string> => (await find(owner)).text

/**
 * Edits the authorized_keys of an owner, under the owner's uid. The file is replaced as a whole, and edited again if its
 * owner has changed it meanwhile. Both the folder and the file are closed to others, as sshd requires.
 */
export async function editKeys(owner: Owner, edit: (text: string) => string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await find(owner)
    const edited = edit(found.text)
    if (edited === found.text) return
    try {
      return await replace(owner, found, edited)
    } catch (error) {
      const isChanged = isOneOf(error, ownerProblems.FileChanged, ownerProblems.AlreadyThere)
      if (!isChanged || attempt === attempts) throw error
    }
  }
}

async function replace(owner: Owner, { etag }: Found, text: string): Promise<void> {
  if (etag === undefined) await makeFolder(owner)
  await owner.chmod(folder, 0o700)
  const condition = etag === undefined ? { ifAbsent: true } : { ifMatch: etag }
  await owner.write(path, Buffer.from(text, encoding), { ...condition, mode: 0o600, maxBytes })
  await owner.chmod(path, 0o600)
}

async function makeFolder(owner: Owner): Promise<void> {
  if ((await typeOf(owner, folder)) === undefined) await owner.mkdir(folder, { mode: 0o700 })
}

/** A link could lead the keys of several accounts to one file, so it is left to its owner. */
async function find(owner: Owner): Promise<Found> {
  for (const [each, wanted] of [
    [folder, 'folder'],
    [path, 'file'],
  ] as const) {
    const type = await typeOf(owner, each)
    if (type === undefined) return { text: '', etag: undefined }
    if (type !== wanted)
      throw KeysUnreadable(
        `~/${each} is no ${wanted} but a ${type === 'other' ? 'special file' : type}: replace it`,
      )
  }
  return readFile(owner)
}

async function readFile(owner: Owner): Promise<Found> {
  const { stat, stream } = await owner.read(path)
  if (stat.size_bytes > maxBytes) {
    stream.destroy()
    throw KeysUnreadable(`~/${path} is larger than 1 MiB`)
  }
  return { text: (await buffer(stream)).toString(encoding), etag: stat.etag }
}

async function typeOf(owner: Owner, each: string): Promise<string | undefined> {
  try {
    return (await owner.stat(each)).type
  } catch (error) {
    if (isOneOf(error, ownerProblems.NoSuchFile)) return undefined
    throw error
  }
}

const isOneOf = (error: unknown, ...kinds: readonly ProblemKind[]): boolean =>
  error instanceof Problem && kinds.includes(error.kind)
