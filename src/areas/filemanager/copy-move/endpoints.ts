import { failures } from '../../../core/endpoint.ts'
import { enqueued } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { byBody, homeFiles } from '../endpoints/target.ts'
import { listed } from '../failures.ts'
import { PlacesBody } from './model.ts'
import * as places from './places.ts'
import { PlacedInPart } from './problems.ts'

export const startCopy = starting('copy', 'Copy')
export const startMove = starting('move', 'Move')

function starting(verb: 'copy' | 'move', title: string) {
  return endpoint({
    method: 'POST',
    path: `/${verb}/job`,
    summary: `${title} files and folders in a background job`,
    description: `As ${verb}, for many at once: each \`dst_path\` is where the thing stands then, with its name. With overwrite a folder is joined with one that stands there. The job tells how far it is and can be cancelled; what cannot be placed does not stop the others, and is named at the end.`,
    effect: 'changes',
    category: homeFiles,
    body: PlacesBody,
    reply: enqueued,
    throws: failures(listed, { placed_in_part: PlacedInPart }),
    target: byBody,
    run: ({ target, body, caller }) => places.startPlaces(target, { verb, title, body, caller }),
  })
}
