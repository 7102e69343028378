import { failures } from '../../../core/endpoint.ts'
import { accepted } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { byBody, homeFiles } from '../endpoints/target.ts'
import { listed } from '../failures.ts'
import { PlacesBody } from './model.ts'
import { PlacedInPart } from './problems.ts'
import { copying, moving, placesOf } from './work.ts'

export const startCopy = starting('copy', 'Copy', copying)
export const startMove = starting('move', 'Move', moving)

function starting(verb: 'copy' | 'move', title: string, transfer: typeof copying) {
  return endpoint({
    method: 'POST',
    path: `/${verb}/job`,
    summary: `${title} files and folders in a background job`,
    description: `As ${verb}, for many at once: each \`dst_path\` is where the thing stands then, with its name. With overwrite a folder is joined with one that stands there. The job tells how far it is and can be cancelled; what cannot be placed does not stop the others, and is named at the end.`,
    effect: 'changes',
    category: homeFiles,
    body: PlacesBody,
    reply: accepted(transfer),
    throws: failures(listed, { placed_in_part: PlacedInPart }),
    target: byBody,
    run: ({ target: { username }, body }) => ({ username, places: placesOf(body) }),
  })
}
