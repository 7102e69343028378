import { failures } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { editFailures, notSetUp, ofThisHost, restartMs } from '../failures.ts'
import * as problems from '../problems.ts'
import * as vault from '../vault.ts'
import {
  Vault,
  VaultEntryDraft,
  VaultEntryPath,
  VaultExport,
  VaultExportDraft,
  VaultImportDraft,
  VaultImported,
} from '../vault-model.ts'

const invalid = [problems.VaultNameInvalid, problems.VaultNameReserved, problems.CredentialInvalid] as const

export const listVault = endpoint({
  method: 'GET',
  path: '/vault',
  summary: 'List the secrets of the vault of the assistant, masked',
  effect: 'reads',
  reply: data(Vault),
  run: ({ ai }) => vault.listVault(ai),
})

export const setVaultEntry = endpoint({
  method: 'POST',
  path: '/vault',
  summary: 'Add a secret to the vault of the assistant, or replace one',
  description:
    'The assistant sees it as a variable of its environment, and is restarted for that if it runs.',
  effect: 'changes',
  category: ofThisHost,
  body: VaultEntryDraft,
  reply: succeeded,
  timeoutMs: restartMs,
  throws: failures(editFailures, {
    bad_request: invalid,
    not_found: problems.NoSuchEntry,
    conflict: problems.VaultFull,
  }),
  run: ({ ai, body, now }) => vault.setEntry(ai, body, now),
})

export const deleteVaultEntry = endpoint({
  method: 'DELETE',
  path: '/vault/{name}',
  summary: 'Remove a secret from the vault of the assistant',
  effect: 'destroys',
  category: ofThisHost,
  params: VaultEntryPath,
  reply: succeeded,
  timeoutMs: restartMs,
  throws: failures(editFailures, { not_found: problems.NoSuchEntry }),
  run: ({ ai, params, now }) => vault.deleteEntry(ai, params.name, now),
})

export const exportVault = endpoint({
  method: 'POST',
  path: '/vault/export',
  summary: 'Return the secrets of the vault, encrypted under a passphrase',
  effect: 'probes',
  changesAccess: true,
  body: VaultExportDraft,
  reply: data(VaultExport),
  throws: notSetUp,
  run: ({ ai, body }) => vault.exportVault(ai, body.passphrase),
})

export const importVault = endpoint({
  method: 'POST',
  path: '/vault/import',
  summary: 'Add the secrets of an export to the vault; those of the same name are replaced',
  effect: 'changes',
  category: ofThisHost,
  body: VaultImportDraft,
  bodyBytes: 9 * 1024 * 1024,
  reply: data(VaultImported),
  timeoutMs: restartMs,
  throws: failures(editFailures, {
    bad_request: [...invalid, problems.ExportInvalid],
    conflict: problems.VaultFull,
  }),
  run: ({ ai, body, now }) => vault.importVault(ai, body, now),
})
