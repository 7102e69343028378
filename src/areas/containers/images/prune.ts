import type { PruneBody, PrunedObject } from './model.ts'
import type { Network, Usage } from './usage.ts'

/** The objects of the engine from which is chosen. */
export interface Prunable {
  readonly usage: Usage
  /** The networks that no container uses. */
  readonly networks: readonly Network[]
  readonly isBackup: (image: { readonly Labels?: Readonly<Record<string, string>> | null }) => boolean
  /** Ids of the containers that edits have replaced, to which their undo returns. */
  readonly kept: ReadonlySet<string>
}

/** Chooses the objects that a clean-up removes: never a backup, nor what a remaining container uses. */
export function chooseObjects(of: Prunable, wanted: PruneBody): readonly PrunedObject[] {
  const containers = wanted.containers ? stoppedContainers(of) : []
  const removed = new Set(containers.map(({ id }) => id))
  const remaining = (of.usage.Containers ?? []).filter(({ Id }) => !removed.has(Id))
  return [
    ...containers,
    ...imagesOf(of, wanted.images, new Set(remaining.map(({ ImageID }) => ImageID))),
    ...(wanted.networks ? unusedNetworks(of) : []),
    ...(wanted.volumes ? unusedVolumes(of) : []),
    ...(wanted.build_cache ? buildCache(of) : []),
  ]
}

const stopped = new Set(['exited', 'created', 'dead'])

const stoppedContainers = ({ usage, kept }: Prunable): readonly PrunedObject[] =>
  (usage.Containers ?? [])
    .filter((container) => stopped.has(container.State) && !kept.has(container.Id))
    .map(({ Id, Names, SizeRw }) => ({
      kind: 'container',
      id: Id,
      name: (Names?.[0] ?? Id).replace(/^\//, ''),
      size: Math.max(0, SizeRw ?? 0),
    }))

function imagesOf(
  { usage, isBackup }: Prunable,
  wanted: PruneBody['images'],
  used: ReadonlySet<string>,
): readonly PrunedObject[] {
  if (wanted === 'none') return []
  return (usage.Images ?? [])
    .filter((image) => !used.has(image.Id) && !isBackup(image))
    .filter((image) => wanted === 'unused' || tagsOf(image).length === 0)
    .map((image) => ({
      kind: 'image',
      id: image.Id,
      name: tagsOf(image).join(', ').slice(0, 300) || image.Id.slice(0, 19),
      size: Math.max(0, image.Size - Math.max(0, image.SharedSize)),
    }))
}

/** The names of an image; the engine lists `<none>:<none>` for one without. */
export const tagsOf = ({ RepoTags }: { readonly RepoTags: readonly string[] | null }): readonly string[] =>
  (RepoTags ?? []).filter((tag) => tag !== '<none>:<none>')

const unusedNetworks = ({ networks }: Prunable): readonly PrunedObject[] =>
  networks.map(({ Id, Name }) => ({ kind: 'network', id: Id, name: Name, size: 0 }))

const unusedVolumes = ({ usage }: Prunable): readonly PrunedObject[] =>
  (usage.Volumes ?? [])
    .filter(({ UsageData }) => UsageData?.RefCount === 0)
    .map(({ Name, UsageData }) => ({
      kind: 'volume',
      id: Name,
      name: Name,
      size: Math.max(0, UsageData?.Size ?? 0),
    }))

function buildCache({ usage }: Prunable): readonly PrunedObject[] {
  const unused = (usage.BuildCache ?? []).filter(({ InUse }) => !InUse)
  if (unused.length === 0) return []
  const size = unused.reduce((sum, { Size }) => sum + Math.max(0, Size), 0)
  return [{ kind: 'build cache', id: 'build-cache', name: `${unused.length} records`, size }]
}
