import type { shapes } from '../../../tools/docker/index.ts'
import type { Containers } from '../context.ts'
import { isBackupImage } from './kept.ts'
import type { Image } from './model.ts'
import { ImageMissing } from './problems.ts'
import { tagsOf } from './prune.ts'

/** Lists the images of this host with the containers that use them, the newest first. */
export async function listImages({ docker }: Containers): Promise<Image[]> {
  const [images, containers] = await Promise.all([docker.listImages(), docker.listContainers()])
  const users = Map.groupBy(containers, ({ ImageID }) => ImageID)
  return images
    .map((image) => ({
      id: image.Id,
      tags: [...tagsOf(image)],
      size: image.Size,
      created: new Date(image.Created * 1000).toISOString(),
      containers: (users.get(image.Id) ?? []).map(nameOf),
      is_backup: isBackupImage(image),
    }))
    .toSorted((one, other) => (one.created < other.created ? 1 : -1))
}

/** An image that a caller named, and the containers that use it. */
export interface FoundImage {
  readonly image: shapes.InspectedImage
  readonly users: readonly string[]
}

/** Finds an image by its id or one of its names, or fails with 404. */
export async function loadImage({ docker }: Containers, id: string): Promise<FoundImage> {
  const image = await docker.findImage(id)
  if (image === undefined) throw ImageMissing(`id: this host has no image "${id}"`)
  const containers = await docker.listContainers()
  return { image, users: containers.filter(({ ImageID }) => ImageID === image.Id).map(nameOf) }
}

const nameOf = ({ Names, Id }: shapes.ListedContainer): string => (Names?.[0] ?? Id).replace(/^\//, '')
