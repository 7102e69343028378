import { type Change, change, step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { NotFound } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { type PublicKey, readNewKey, type SignIn } from '../../tools/openssh/index.ts'
import { accountLock } from '../users/index.ts'
import type { SshUser } from './account.ts'
import type { Ssh } from './context.ts'
import type { AddedSshKey, SshKey, SshKeyDraft } from './model.ts'
import { KeyKnown } from './problems.ts'
import { sshKeys } from './store.ts'

/** Lists the keys that sshd accepts for the account of a user, those that the panel did not add too. */
export async function listKeys(on: Ssh, { user, account }: SshUser): Promise<{ keys: SshKey[] }> {
  const lines = await on.openssh.keysOf(account.username)
  if (lines.length === 0) return { keys: [] }
  const [addedAt, signIns] = await Promise.all([
    on.queries.addedAt(user.id),
    on.openssh.signInsOf(account.username),
  ])
  const byFingerprint = new Map(lines.map((line) => [line.key.fingerprint, line]))
  const keys = [...byFingerprint.values()].map(({ key, hasOptions }) => ({
    ...shown(key),
    has_options: hasOptions,
    added_at: addedAt.get(key.fingerprint) ?? null,
    last_used: lastUse(signIns, key),
  }))
  return { keys }
}

/** Adds a key with which its holder can sign in as the account of a user. */
export async function addKey(
  on: Ssh,
  { user, account: { username } }: SshUser,
  { public_key }: SshKeyDraft,
  { now }: Deciding,
): Promise<Change<AddedSshKey>> {
  const key = readNewKey(Buffer.from(public_key, 'utf8').toString('latin1')) // a character for each byte, as in the file
  const { type, base64, comment, fingerprint } = key
  const known = await on.openssh.keysOf(username)
  if (known.some((line) => line.key.fingerprint === fingerprint))
    throw KeyKnown(`public_key: ${username} already accepts the key ${fingerprint}`)
  const isAdmitted = user.is_suspended === 0 && (await on.queries.accessOf(user.id)).sftp === 1
  const refusals = isAdmitted ? [...(await on.openssh.refusalsOf(username, { afterKey: true }))] : []
  const added_at = now.toISOString()
  const line = `${type} ${base64}${comment === '' ? '' : ` ${comment}`}`
  return change({
    summary: `Let the key ${fingerprint} sign in as ${username}`,
    details: refusals.map((refusal) => `sshd refuses it for now: ${refusal}`),
    locks: [accountLock(username)],
    steps: [step(on.openssh.steps.setKey, { username, fingerprint, line })],
    rows: [
      sshKeys.delete({ user_id: user.id, fingerprint }), // of a key that was removed from the file by hand
      sshKeys.insert(sshKeys.row({ user_id: user.id, fingerprint, added_at })),
    ],
    reply: { ...shown(key), has_options: false, added_at, last_used: null, refusals },
  })
}

/** Removes a key; the sessions that it has opened end. */
export async function deleteKey(
  on: Ssh,
  { user, account: { username } }: SshUser,
  id: string,
): Promise<Change<{ success: true }>> {
  const lines = await on.openssh.keysOf(username)
  const found = lines.find(({ key }) => idOf(key) === id)
  if (found === undefined) throw NotFound(`id: ${username} has no key with the id ${id}`)
  const { fingerprint, comment } = found.key
  return change({
    summary: `Remove the key ${fingerprint}${comment === '' ? '' : ` (${comment})`} of ${username}`,
    locks: [accountLock(username)],
    steps: [step(on.openssh.steps.setKey, { username, fingerprint, line: null })],
    rows: [sshKeys.delete({ user_id: user.id, fingerprint })],
    reply: success,
  })
}

const idOf = ({ fingerprint }: PublicKey): string =>
  fingerprint.replace('SHA256:', '').replaceAll('+', '-').replaceAll('/', '_')

/** A comment that the owner wrote by hand may contain anything. */
const shown = (key: PublicKey) => ({
  id: idOf(key),
  type: key.type,
  bits: key.bits,
  fingerprint: key.fingerprint,
  comment: printable(key.comment),
})

const printable = (comment: string): string =>
  Buffer.from(comment, 'latin1')
    .toString('utf8')
    .replaceAll(/[\u0000-\u001f\u007f]/g, '')
    .slice(0, 1000)

const lastUse = (signIns: readonly SignIn[], { fingerprint }: PublicKey): string | null =>
  signIns.find((signIn) => signIn.fingerprint === fingerprint)?.at ?? null
