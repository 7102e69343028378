import { local } from '../../../core/endpoint.ts'
import { awaited, data, followed, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { EngineFailed } from '../problems.ts'
import * as images from './images.ts'
import * as model from './model.ts'
import { ImageInUse, ImageInvalid, ImageMissing } from './problems.ts'
import { pruning } from './pruning.ts'
import { draftPull, pullEvent, pulling } from './pull.ts'
import { removeImage as remove } from './remove-image.ts'

const ofThisHost = local('each host has its own images')

export const listImages = endpoint({
  method: 'GET',
  path: '/images',
  summary: 'List the images of this host, with the containers that use them',
  effect: 'reads',
  reply: data(model.Images),
  throws: { container_error: EngineFailed },
  run: ({ containers }) => images.listImages(containers),
})

export const pullImage = endpoint({
  method: 'POST',
  path: '/images/pull',
  summary: 'Pull an image from its registry, as an event stream with the progress of its layers',
  description:
    'An image that the host has is compared with the registry, and replaced if that has a newer one. Leaving the stream does not end the pull.',
  effect: 'changes',
  category: ofThisHost,
  body: model.PullBody,
  reply: followed(pulling, model.PullEvent, pullEvent),
  throws: { bad_request: ImageInvalid },
  run: ({ body }) => draftPull(body),
})

export const removeImage = endpoint({
  method: 'DELETE',
  path: '/images/{id}',
  summary: 'Remove an image with all its names, unless a container uses it',
  effect: 'destroys',
  category: ofThisHost,
  params: model.ImagePath,
  reply: succeeded,
  throws: { not_found: ImageMissing, image_in_use: ImageInUse, container_error: EngineFailed },
  run: ({ containers, params }) => remove(containers, params.id),
})

export const pruneContainers = endpoint({
  method: 'POST',
  path: '/prune',
  summary: 'Remove images, containers, networks and volumes that nothing uses, but no backup',
  description:
    '`?plan=1` names each object with its size, and what is freed. Without a body, images without a tag are removed.',
  effect: 'destroys',
  category: ofThisHost,
  body: model.PruneBody,
  reply: awaited(pruning, { status: 200, shape: 'data' }),
  throws: { container_error: EngineFailed },
  run: ({ body }) => body,
})
