import { change, type Change, step } from '../../../core/change.ts'
import { lock } from '../../../core/lock.ts'
import { success } from '../../../core/reply.ts'
import type { Containers } from '../context.ts'
import { loadImage } from './images.ts'
import { ImageInUse } from './problems.ts'

/** Held by each change that removes an image, by the id of the image. */
export const imageLock = lock('image')

/** Removes an image with all its names; fails with 409 and the names of the containers that use it. */
export async function removeImage(on: Containers, id: string): Promise<Change<typeof success>> {
  const { image, users } = await loadImage(on, id)
  if (users.length > 0)
    throw ImageInUse(
      `id: ${id} is used by ${users.length === 1 ? 'the container' : 'the containers'} ${users.join(', ')}: remove ${users.length === 1 ? 'it' : 'them'} first`,
    )
  return change({
    summary: `Remove the image ${id}`,
    locks: [imageLock(image.Id)],
    steps: [step(on.docker.steps.removeImage, { id: image.Id, name: id })],
    reply: success,
  })
}
