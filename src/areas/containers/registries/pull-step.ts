import { type Step, step } from '../../../core/change.ts'
import { parseReference, type RegistryCredentials, registryOf } from '../../../tools/docker/index.ts'
import type { Containers } from '../context.ts'
import { findRegistryRow } from './store.ts'

interface PullOptions {
  /** True to ask the registry also if the image is here. */
  readonly isRefreshed?: boolean
}

/** Returns the step that pulls an image, with the credentials of its registry where the panel has them. */
export async function pullStep(
  { docker, store }: Pick<Containers, 'docker' | 'store'>,
  image: string,
  options: PullOptions = {},
): Promise<Step<null>> {
  const credentials = await credentialsFor(store, image)
  return step(docker.steps.pullImage, { image, ...options, ...(credentials && { credentials }) })
}

async function credentialsFor(
  store: Containers['store'],
  image: string,
): Promise<RegistryCredentials | undefined> {
  const reference = parseReference(image)
  const row = reference && (await findRegistryRow(store, registryOf(reference)))
  if (row === undefined) return undefined
  return { registry: row.registry, username: row.username, password: store.unseal(row.sealed_password) }
}
