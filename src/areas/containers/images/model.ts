import Type, { type Static } from 'typebox'
import { OneOf, Prose, Text, Time } from '../../../core/schemas.ts'

/** An image reference by the contract; digests and ports of registries included. */
export const ImageReference = Type.String({
  maxLength: 255,
  pattern: '^[a-zA-Z0-9][a-zA-Z0-9._/:@-]*$',
  description: 'Image, such as nginx:1.27 or registry.example.com/team/app:3',
  expects: 'an image reference such as nginx:1.27',
})

export const Image = Type.Object({
  id: Text(80, { description: 'Its id: sha256 and 64 hexadecimal digits' }),
  tags: Type.Array(Text(255, { description: 'Repository and tag' }), {
    maxItems: 500,
    description: 'Its names; empty if another image has taken them',
  }),
  size: Type.Integer({ minimum: 0, description: 'Bytes, with the layers that it shares' }),
  created: Time,
  containers: Type.Array(Text(255, { description: 'Name of a container' }), {
    maxItems: 1000,
    description: 'Containers that use it, running or not',
  }),
  is_backup: Type.Boolean({ description: 'True if a backup of the panel consists of it' }),
})
export type Image = Static<typeof Image>

export const Images = Type.Array(Image, { maxItems: 5000, description: 'The newest first' })

export const ImagePath = Type.Object({ id: ImageReference })

export const PullBody = Type.Object({ image: ImageReference })

export const Pulled = Type.Object({
  image: Text(255, { description: 'Its reference' }),
})

export const PullEvent = Type.Object({
  type: OneOf(['progress', 'done', 'error'], { description: 'Kind of event' }),
  message: Prose(2000, { description: 'What the engine does, or why it failed' }),
  percent: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()], {
    description: 'Share of the bytes that are here; null if unknown',
  }),
})
export type PullEvent = Static<typeof PullEvent>

export const PruneBody = Type.Object({
  images: OneOf(['untagged', 'unused', 'none'], {
    default: 'untagged',
    description: 'Images to remove: those without a tag, all that no container uses, or none',
  }),
  containers: Type.Boolean({ default: false, description: 'Remove stopped containers' }),
  networks: Type.Boolean({ default: false, description: 'Remove networks that no container uses' }),
  volumes: Type.Boolean({
    default: false,
    description: 'Remove volumes that no container uses, with their content',
  }),
  build_cache: Type.Boolean({ default: false, description: 'Remove the cache of builds' }),
})
export type PruneBody = Static<typeof PruneBody>

export const PruneKind = OneOf(['container', 'image', 'network', 'volume', 'build cache'], {
  description: 'Kind of object',
})

export const PrunedObject = Type.Object({
  kind: PruneKind,
  id: Text(255, { description: 'Its id, or the name of a volume' }),
  name: Text(300, { description: 'Its name' }),
  size: Type.Integer({ minimum: 0, description: 'Bytes that it occupies alone' }),
})
export type PrunedObject = Static<typeof PrunedObject>

export const Pruned = Type.Object({
  removed: Type.Array(PrunedObject, { maxItems: 10_000, description: 'Objects that were removed' }),
  freed_bytes: Type.Integer({ minimum: 0, description: 'Sum of their sizes' }),
})
export type Pruned = Static<typeof Pruned>
