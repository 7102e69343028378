import { Problem } from '../../core/problem.ts'
import {
  type Graph,
  GraphRefusal,
  type GraphSettings,
  type GraphUser,
  listFolders,
  listUsers,
  type Patience,
} from '../../tools/graph/index.ts'
import type { MailboxBackup } from './parts.ts'
import { IdpFailed, SettingInvalid } from './problems.ts'

/** A mailbox of the directory. */
export interface DirectoryUser {
  readonly id: string
  /** In lower case. */
  readonly email: string
  readonly displayName: string
}

const addressShape = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,189}$/u
/** For those who wait for the answer. */
const shortPatience = { attempts: 2, mostPauseMs: 3000 }
/** Users that are tried before a mailbox is found. */
const mostTried = 20

/** Throws SettingInvalid while the directory is not set. */
export function assertSet(idp: GraphSettings): void {
  const missing =
    (idp.tenantId === '' && 'idp_tenant_id') ||
    (idp.clientId === '' && 'idp_client_id') ||
    (idp.clientSecret === '' && 'idp_client_secret')
  if (missing) throw SettingInvalid(`${missing}: is required to read mailboxes`)
}

/** Opens the directory; throws SettingInvalid while it is not set. Default: with the patience of a run. */
export function openDirectory(
  on: Pick<MailboxBackup, 'openGraph'>,
  idp: GraphSettings,
  patience?: Partial<Patience>,
): Graph {
  assertSet(idp)
  return on.openGraph(idp, patience)
}

/** Lists the users that have an address, each address once; throws IdpFailed. */
export async function readUsers(graph: Graph, signal: AbortSignal): Promise<readonly DirectoryUser[]> {
  const found = new Map<string, DirectoryUser>()
  for (const user of (await listUsers(graph, signal).catch(notRead)).flatMap(mailboxOf))
    if (!found.has(user.email)) found.set(user.email, user)
  return [...found.values()]
}

/** The same for somebody who waits for it. */
export async function readUsersNow(
  on: Pick<MailboxBackup, 'openGraph'>,
  idp: GraphSettings,
  signal: AbortSignal,
): Promise<readonly DirectoryUser[]> {
  return readUsers(openDirectory(on, idp, shortPatience), signal)
}

/** Returns the mailbox of a user; none without a usable address. */
function mailboxOf({ id, mail, userPrincipalName, displayName }: GraphUser): readonly DirectoryUser[] {
  const email = (mail ?? userPrincipalName ?? '').toLowerCase()
  if (!addressShape.test(email)) return []
  const name = (displayName ?? '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, 300)
    .toWellFormed()
  return [{ id, email, displayName: name }]
}

/** Reads the users and the folders of the first mailbox; throws IdpFailed with the reason. */
export async function assertReadable(
  on: Pick<MailboxBackup, 'openGraph'>,
  idp: GraphSettings,
  signal: AbortSignal,
): Promise<{ readonly users: number; readonly folders: number }> {
  const graph = openDirectory(on, idp, shortPatience)
  const users = await readUsers(graph, signal)
  for (const { id } of users.slice(0, mostTried)) {
    try {
      const folders = await listFolders(graph, id, signal)
      return { users: users.length, folders: folders.length }
    } catch (error) {
      if (!hasNoMailbox(error)) return notRead(error)
    }
  }
  return { users: users.length, folders: 0 }
}

/** What a user without a mailbox, or with one on a server of the company, is answered with. */
const codesWithoutMailbox: ReadonlySet<string> = new Set([
  'MailboxNotEnabledForRESTAPI',
  'MailboxNotSupportedForRESTAPI',
  'ErrorInvalidUser',
  'ResourceNotFound',
])

/** True for the refusal of a user without a mailbox. */
export const hasNoMailbox = (error: unknown): boolean =>
  error instanceof GraphRefusal && error.status === 404 && codesWithoutMailbox.has(error.code)

function notRead(error: unknown): never {
  if (error instanceof GraphRefusal || error instanceof Problem) throw IdpFailed(error.message)
  throw error
}
