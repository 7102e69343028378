import type { Change } from '../../core/change.ts'
import { isMasked } from '../../core/secret.ts'
import type { Variables } from '../../tools/openclaw/index.ts'
import type { Assistant } from './context.ts'
import { editAssistant, loadAssistant } from './edit.ts'
import { NoSuchEntry, VaultFull, VaultNameInvalid, VaultNameReserved } from './problems.ts'
import { assertKey, ownVariables, storedOr } from './providers.ts'
import { openEntries, sealEntries } from './vault-export.ts'
import { mostEntries, type Vault, type VaultEntryDraft, type VaultImportDraft } from './vault-model.ts'

const nameForm = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/
const longestValue = 8192
/** By these, a program loads other code, or finds other files. */
const reserved =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|LANG|TERM|IFS|ENV|BASH_ENV)$|^(?:NODE|OPENCLAW|HOSTREEVE|LD|LC|npm|NPM)_/

/** Lists the entries by name; the surface masks their values. */
export async function listVault({ tool }: Assistant): Promise<Vault> {
  const entries = entriesOf(await tool.readEnvironment())
  return {
    entries: Object.entries(entries)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => ({ name, value })),
  }
}

/** The variables that are entries of the vault. */
export const entriesOf = (variables: Variables): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !ownVariables.has(name)))

/** Adds an entry, or replaces it; a masked value keeps the stored one. */
export async function setEntry(
  on: Assistant,
  { name, value }: VaultEntryDraft,
  now: Date,
): Promise<Change<{ success: true }>> {
  const stored = await on.tool.readEnvironment()
  const former = Object.hasOwn(stored, name) ? stored[name] : undefined
  if (isMasked(value) && former === undefined)
    throw NoSuchEntry(`value: is masked, and there is no entry ${name}`)
  const environment = withEntries(stored, { [name]: storedOr('value', value, former) })
  return editAssistant(
    on,
    { summary: `Set ${name} in the vault of the assistant`, environment, reply: { success: true } },
    now,
  )
}

/** Removes an entry. */
export async function deleteEntry(
  on: Assistant,
  name: string,
  now: Date,
): Promise<Change<{ success: true }>> {
  await loadAssistant(on)
  const stored = await on.tool.readEnvironment()
  if (!Object.hasOwn(entriesOf(stored), name)) throw NoSuchEntry(`name: there is no entry ${name}`)
  const { [name]: _removed, ...environment } = stored
  return editAssistant(
    on,
    { summary: `Remove ${name} from the vault of the assistant`, environment, reply: { success: true } },
    now,
  )
}

/** Returns all entries, encrypted under a passphrase. */
export async function exportVault(on: Assistant, passphrase: string): Promise<{ export: string }> {
  await loadAssistant(on)
  return { export: await sealEntries(entriesOf(await on.tool.readEnvironment()), passphrase) }
}

/** Adds the entries of an export; those of the same name are replaced. */
export async function importVault(
  on: Assistant,
  draft: VaultImportDraft,
  now: Date,
): Promise<Change<{ success: true; imported: number }>> {
  const entries = await openEntries(draft.export, draft.passphrase)
  const environment = withEntries(await on.tool.readEnvironment(), entries)
  const imported = Object.keys(entries).length
  return editAssistant(
    on,
    {
      summary: `Import ${imported} ${imported === 1 ? 'entry' : 'entries'} to the vault of the assistant`,
      environment,
      reply: { success: true, imported },
    },
    now,
  )
}

function withEntries(stored: Variables, entries: Variables): Variables {
  for (const [name, value] of Object.entries(entries)) {
    if (!nameForm.test(name))
      throw VaultNameInvalid(
        `name: ${name.slice(0, 64)} must be a letter or _, then letters, digits and _, at most 64`,
      )
    if (ownVariables.has(name) || reserved.test(name))
      throw VaultNameReserved(`name: ${name} is used by the assistant itself: choose another one`)
    if (value.length > longestValue)
      throw VaultNameInvalid(`value: ${name} is longer than ${longestValue} characters`)
    assertKey('value', value)
  }
  const next = { ...stored, ...entries }
  if (Object.keys(entriesOf(next)).length > mostEntries)
    throw VaultFull(`The vault has room for ${mostEntries} entries: remove some first`)
  return next
}
