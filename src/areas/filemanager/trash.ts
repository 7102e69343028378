import type { Static } from 'typebox'
import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import type { Filemanager } from './context.ts'
import type { EmptyBody, RestoreBody } from './model.ts'
import type { Files } from './named-files.ts'

/** Puts entries of the trash back to their former paths. */
export const restoreTrash = (
  { steps }: Filemanager,
  { username }: Files,
  { ids }: Static<typeof RestoreBody>,
): Change<typeof success> =>
  change({
    summary: `Put ${ids.length} of the trash of ${username} back`,
    steps: [step(steps.restore, { username, ids })],
    reply: success,
  })

/** Removes entries of the trash for good; all of them if none is named. */
export const emptyTrash = (
  { steps }: Filemanager,
  { username }: Files,
  { ids }: Static<typeof EmptyBody>,
): Change<typeof success> =>
  change({
    summary: `${ids ? `Remove ${ids.length} things of` : 'Empty'} the trash of ${username}`,
    steps: [step(steps.empty, { username, ...(ids && { ids }) })],
    reply: success,
  })
