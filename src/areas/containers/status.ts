import type { Static } from 'typebox'
import type { Containers } from './context.ts'
import type { EngineStatus } from './model.ts'

/** Returns whether the engine is installed and runs, and what it has; never fails. */
export async function readStatus({ docker }: Containers): Promise<Static<typeof EngineStatus>> {
  const [found, info, version] = await Promise.all([
    docker.detect(),
    docker.readInfo().catch(() => undefined), // an engine that does not run
    docker.readVersion().catch(() => undefined),
  ])
  return {
    installed: found.present,
    running: info !== undefined,
    version: version?.Version ?? found.version,
    api_version: version?.ApiVersion ?? null,
    reason: found.reason,
    containers: info?.Containers ?? 0,
    running_containers: info?.ContainersRunning ?? 0,
    images: info?.Images ?? 0,
    storage_driver: info?.Driver ?? '',
    has_memory_limits: info?.MemoryLimit ?? false,
  }
}
