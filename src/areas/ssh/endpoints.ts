import { data, created, succeeded } from '../../core/reply.ts'
import { at, failures } from '../../core/endpoint.ts'
import { NotFound } from '../../core/problem.ts'
import { KeyInvalid, KeysUnreadable, SessionsFailed } from '../../tools/openssh/index.ts'
import { editableUser, entrustedUser, seenUser } from './account.ts'
import { endpoint } from './context.ts'
import { fileFailures } from './failures.ts'
import { readAccess } from './access.ts'
import * as keys from './keys.ts'
import { AddedSshKey, SshAccess, SshKeyDraft, SshKeyPath, SshKeys, SshPath } from './model.ts'
import { KeyKnown, NoAccount } from './problems.ts'

export const listSshKeys = endpoint({
  method: 'GET',
  base: '/users',
  path: '/{uid}/ssh-keys',
  summary: 'List the SSH keys of a user',
  description: 'For oneself, or with booting_users_management. Keys that were added by hand are listed too.',
  effect: 'reads',
  params: SshPath,
  reply: data(SshKeys),
  throws: failures(fileFailures, { bad_request: NoAccount, conflict: KeysUnreadable }),
  target: ({ ssh, params, caller }) => seenUser(ssh, params.uid, caller),
  run: ({ ssh, target }) => keys.listKeys(ssh, target),
})

export const addSshKey = endpoint({
  method: 'POST',
  base: '/users',
  path: '/{uid}/ssh-keys',
  summary: 'Add an SSH key of a user',
  description:
    'For oneself, or with booting_users_management and every permission of the user. Accepted are Ed25519, ECDSA and RSA keys (2048 bits or more) and those of security keys, without options. Every other line of authorized_keys stays.',
  effect: 'changes',
  changesAccess: true,
  category: 'ssh_keys',
  params: SshPath,
  body: SshKeyDraft,
  bodyBytes: 2 * 1024 * 1024,
  reply: created(AddedSshKey),
  throws: failures(fileFailures, {
    bad_request: [KeyInvalid, NoAccount],
    already_exists: KeyKnown,
    conflict: KeysUnreadable,
  }),
  target: ({ ssh, params, caller }) => entrustedUser(ssh, params.uid, caller),
  run: ({ ssh, target, body, ...request }) => keys.addKey(ssh, target, body, request),
})

export const deleteSshKey = endpoint({
  method: 'DELETE',
  base: '/users',
  path: '/{uid}/ssh-keys/{id}',
  summary: 'Delete an SSH key of a user, and end the sessions that it has opened',
  effect: 'destroys',
  changesAccess: true,
  category: 'ssh_keys',
  params: SshKeyPath,
  reply: succeeded,
  throws: failures(fileFailures, {
    bad_request: NoAccount,
    not_found: NotFound,
    conflict: KeysUnreadable,
    sessions_failed: at(500, SessionsFailed),
  }),
  target: ({ ssh, params, caller }) => editableUser(ssh, params.uid, caller),
  run: ({ ssh, target, params }) => keys.deleteKey(ssh, target, params.id),
})

export const readSshAccess = endpoint({
  method: 'GET',
  base: '/users',
  path: '/{uid}/ssh-access',
  summary: 'Read how a user can sign in over SSH, and the last sign-ins',
  description: 'For oneself, or with booting_users_management. It is changed with PATCH /api/users/{uid}.',
  effect: 'reads',
  params: SshPath,
  reply: data(SshAccess),
  throws: { bad_request: NoAccount },
  target: ({ ssh, params, caller }) => seenUser(ssh, params.uid, caller),
  run: ({ ssh, target }) => readAccess(ssh, target),
})
