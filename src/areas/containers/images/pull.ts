import type { Static } from 'typebox'
import { change } from '../../../core/change.ts'
import type { WorkEvent } from '../../../core/reply.ts'
import { parseReference } from '../../../tools/docker/index.ts'
import { work } from '../context.ts'
import { pullStep } from '../registries/pull-step.ts'
import { PullBody, Pulled, type PullEvent } from './model.ts'
import { ImageInvalid } from './problems.ts'
import { imageLock } from './remove-image.ts'

/** Returns the input of a pull; fails if the text is not the name of an image. */
export function draftPull({ image }: Static<typeof PullBody>): Static<typeof PullBody> {
  if (parseReference(image) === undefined)
    throw ImageInvalid(`image: ${image} is not the name of an image such as nginx:1.27`)
  return { image }
}

/** Pulls an image from its registry, also where the host has an older one of the same name. */
export const pulling = work({
  kind: 'containers.pull-image',
  lane: 'network',
  input: PullBody,
  reply: Pulled,
  timeoutMs: 3_600_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { image }, containers: on }) =>
    change({
      summary: `Pull the image ${image}`,
      locks: [imageLock(image)],
      steps: [await pullStep(on, image, { isRefreshed: true })],
      reply: { image },
    }),
})

/** Returns an event of a pull: the progress of its layers, and its end. */
export function pullEvent(event: WorkEvent<Static<typeof Pulled>>): PullEvent | undefined {
  if (event.type === 'done') return { type: 'done', message: `Pulled ${event.reply.image}`, percent: 100 }
  if (event.type === 'failed') return { type: 'error', message: event.message.slice(0, 2000), percent: null }
  if (event.message === '') return undefined
  return { type: 'progress', message: event.message.slice(0, 2000), percent: event.percent }
}
