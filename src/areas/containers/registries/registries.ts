import { type Change, change } from '../../../core/change.ts'
import { lock } from '../../../core/lock.ts'
import { success } from '../../../core/reply.ts'
import { isMasked } from '../../../core/secret.ts'
import { parseRegistry } from '../../../tools/docker/index.ts'
import type { Containers } from '../context.ts'
import type { Registry, RegistryDraft } from './model.ts'
import { RegistryInvalid, RegistryMissing } from './problems.ts'
import { findRegistryRow, listRegistryRows, type RegistryRow, registries } from './store.ts'

type Stored = Pick<Containers, 'store'>

const registryLock = lock('container_registry')
const mostRegistries = 200

/** Lists the registries of which the panel has credentials. */
export async function listRegistries({ store }: Stored): Promise<Registry[]> {
  return (await listRegistryRows(store)).map((row) => shown(store, row))
}

/** Stores the credentials of a registry in the place of former ones; nothing asks the registry before the next pull. */
export async function setRegistry(
  { store }: Stored,
  name: string,
  { username, password }: RegistryDraft,
): Promise<Change<Registry>> {
  const registry = parseRegistry(name)
  if (registry === undefined)
    throw RegistryInvalid(
      `registry: ${name} is not the host of a registry: use one such as registry.example.com or registry.example.com:5000`,
    )
  const rows = await listRegistryRows(store)
  const former = rows.find((row) => row.registry === registry)
  if (former === undefined && rows.length >= mostRegistries)
    throw RegistryInvalid(`registry: there are ${mostRegistries} registries already: remove one first`)
  if (former === undefined && isMasked(password))
    throw RegistryInvalid(
      `password: the panel has none of ${registry} to keep: enter the password or access token`,
    )
  const sealed_password =
    former !== undefined && isMasked(password) ? former.sealed_password : store.seal(password)
  const row = registries.row({ registry, username, sealed_password })
  return change({
    summary: `Set the credentials of the registry ${registry}`,
    locks: [registryLock(registry)],
    rows: [...(former === undefined ? [] : [registries.delete({ registry })]), registries.insert(row)],
    reply: shown(store, row),
  })
}

/** Removes the credentials of a registry; images that were pulled with them stay. */
export async function removeRegistry({ store }: Stored, name: string): Promise<Change<typeof success>> {
  const registry = parseRegistry(name)
  if (registry === undefined || (await findRegistryRow(store, registry)) === undefined)
    throw RegistryMissing(`registry: there are no credentials of ${name}`)
  return change({
    summary: `Remove the credentials of the registry ${registry}`,
    locks: [registryLock(registry)],
    rows: [registries.delete({ registry })],
    reply: success,
  })
}

const shown = (
  store: Containers['store'],
  { registry, username, sealed_password }: RegistryRow,
): Registry => ({ registry, username, password: store.unseal(sealed_password) })
