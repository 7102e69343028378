import { Problem } from '../../core/problem.ts'
import {
  GraphRefusal,
  type GraphSettings,
  type GraphUser,
  listFolders,
  listUsers,
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

/** Opens the directory; throws SettingInvalid while it is not set where it is. */
export function openDirectory(on: Pick<MailboxBackup, 'openGraph'>, idp: GraphSettings) {
  const missing =
    (idp.tenantId === '' && 'idp_tenant_id') ||
    (idp.clientId === '' && 'idp_client_id') ||
    (idp.clientSecret === '' && 'idp_client_secret')
  if (missing) throw SettingInvalid(`${missing}: is required to read mailboxes`)
  return on.openGraph(idp)
}

/** Lists the users that have an address; throws IdpFailed. */
export async function readUsers(
  on: Pick<MailboxBackup, 'openGraph'>,
  idp: GraphSettings,
  signal: AbortSignal,
): Promise<readonly DirectoryUser[]> {
  const graph = openDirectory(on, idp)
  return (await listUsers(graph, signal).catch(notRead)).flatMap(mailboxOf)
}

/** Returns the mailbox of a user; none without a usable address. */
export function mailboxOf({ id, mail, userPrincipalName, displayName }: GraphUser): readonly DirectoryUser[] {
  const email = (mail ?? userPrincipalName ?? '').toLowerCase()
  if (!addressShape.test(email)) return []
  const name = (displayName ?? '').replaceAll(/\p{Cc}/gu, ' ').slice(0, 300)
  return [{ id, email, displayName: name }]
}

/** Reads the users and the folders of the first mailbox; throws IdpFailed with the reason. */
export async function assertReadable(
  on: MailboxBackup,
  idp: GraphSettings,
  signal: AbortSignal,
): Promise<{ readonly users: number; readonly folders: number }> {
  const graph = openDirectory(on, idp)
  const users = (await listUsers(graph, signal).catch(notRead)).flatMap(mailboxOf)
  for (const { id } of users) {
    try {
      const folders = await listFolders(graph, id, signal)
      return { users: users.length, folders: folders.length }
    } catch (error) {
      if (!hasNoMailbox(error)) return notRead(error)
    }
  }
  return { users: users.length, folders: 0 }
}

/** True for the refusal of a user without a mailbox. */
export const hasNoMailbox = (error: unknown): boolean =>
  error instanceof GraphRefusal && error.status === 404 && error.code === 'MailboxNotEnabledForRESTAPI'

function notRead(error: unknown): never {
  if (error instanceof GraphRefusal || error instanceof Problem) throw IdpFailed(error.message)
  throw error
}
