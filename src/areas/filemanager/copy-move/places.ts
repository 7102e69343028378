import type { Static } from 'typebox'
import { type Change, change } from '../../../core/change.ts'
import type { Caller } from '../../../core/caller.ts'
import { placeKinds } from '../job-kinds.ts'
import type { Files } from '../named-files.ts'
import { belowHome, namesOf, pathOf } from '../paths.ts'
import type { PlacesBody } from './model.ts'
import { previewPlaces } from './preview.ts'

interface Starting {
  readonly verb: 'copy' | 'move'
  readonly title: string
  readonly body: Static<typeof PlacesBody>
  readonly caller: Caller
}

/** Starts the job that copies or moves many entries. */
export function startPlaces(
  { username, owner }: Files,
  { verb, title, body, caller }: Starting,
): Change<{ job_id: number }> {
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
}

function placesOf({ places }: Static<typeof PlacesBody>) {
  return places.map((each) => ({
    from: belowHome(pathOf(each, 'src_path')),
    to: belowHome(pathOf(each, 'dst_path')),
    overwrite: each.overwrite,
  }))
}
