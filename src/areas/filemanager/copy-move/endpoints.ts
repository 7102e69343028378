import { failures } from '../../../core/endpoint.ts'
import type { Static } from 'typebox'
import { change } from '../../../core/change.ts'
import { accepted } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { byBody, homeFiles } from '../endpoints/target.ts'
import { listed } from '../failures.ts'
import { belowHome, namesOf, pathOf } from '../paths.ts'
import { placeKinds } from '../job-kinds.ts'
import { previewPlaces } from './preview.ts'
import { PlacesBody } from './model.ts'
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
    reply: accepted,
    throws: failures(listed, { placed_in_part: PlacedInPart }),
    target: byBody,
    run: ({ target: { username, owner }, body, caller }) => {
      const places = placesOf(body)
      const summary = `${title} ${namesOf(places.map(({ from }) => from))} of ${username}`
      return change({
        summary,
        jobs: [
          {
            kind: placeKinds[verb],
            input: { username, by: caller.user.id, places },
            ownerId: caller.user.id,
            title: summary.slice(0, 200).toWellFormed(),
            preview: () => previewPlaces(owner, verb, places),
          },
        ],
        reply: ({ jobIds }) => ({ job_id: jobIds[0] ?? 0 }),
      })
    },
  })
}

function placesOf({ places }: Static<typeof PlacesBody>) {
  return places.map((each) => ({
    from: belowHome(pathOf(each, 'src_path')),
    to: belowHome(pathOf(each, 'dst_path')),
    overwrite: each.overwrite,
  }))
}
