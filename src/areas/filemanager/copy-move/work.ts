import Type, { type Static } from 'typebox'
import { change, step } from '../../../core/change.ts'
import { Text } from '../../../core/schemas.ts'
import { work } from '../context.ts'
import { hourMs } from '../endpoints/target.ts'
import { placeKinds } from '../job-kinds.ts'
import { filesOfCaller } from '../named-files.ts'
import { belowHome, namesOf, pathOf, StoredPath } from '../paths.ts'
import type { PlacesBody } from './model.ts'

const Place = Type.Object({ from: StoredPath, to: StoredPath, overwrite: Type.Boolean() })

export const copying = transfer('copy', 'Copy')
export const moving = transfer('move', 'Move')

/** Copies or moves many entries. One step places them all, because a failed entry must not take back the others. */
function transfer(verb: 'copy' | 'move', title: string) {
  return work({
    kind: placeKinds[verb],
    lane: 'files',
    input: Type.Object({ username: Text(64), places: Type.Array(Place) }),
    reply: Type.Object({ placed: Type.Integer() }),
    timeoutMs: 6 * hourMs,
    attempts: 1,
    resumes: false,
    decide: async ({ input: { username, places }, caller, filemanager }) => {
      const by = (await filesOfCaller(filemanager, username, caller)).caller.user.id
      return change({
        summary: `${title} ${namesOf(places.map(({ from }) => from))} of ${username}`,
        steps: [step(filemanager.steps.place, { username, verb, by, places })],
        reply: { placed: places.length },
      })
    },
  })
}

/** Reads the sources and destinations that a request names. */
export function placesOf({ places }: Static<typeof PlacesBody>) {
  return places.map((each) => ({
    from: belowHome(pathOf(each, 'src_path')),
    to: belowHome(pathOf(each, 'dst_path')),
    overwrite: each.overwrite,
  }))
}
