import { archiveEndings, type Owner, ownerProblems } from '../../host/owner/index.ts'
import { Problem } from '../../core/problem.ts'
import { childOf, type TextPath } from './paths.ts'

const mostTries = 1000

/** Moves a new archive from the top of the home into a folder, there under the name that was asked for; where it is taken, ` (2)` and so on is put before its ending. */
export async function putBeside(owner: Owner, made: string, { folder, name }: { readonly folder: TextPath; readonly name: string }): Promise<string> {
  const ending = archiveEndings.find((each) => name.toLowerCase().endsWith(each)) ?? ''
  const stem = name.slice(0, name.length - ending.length)
  for (let count = 1; count <= mostTries; count++) {
    const path = count === 1 ? name : `${stem} (${count})${name.slice(stem.length)}`
    const to = childOf(folder, { field: folder.field, path })
    const isThere = await owner.move(made, to).then(
      () => true,
      (error: unknown) => elsewhere(error, made),
    )
    if (isThere) return to.path
  }
  throw ownerProblems.AlreadyThere(`${folder.field}: no free name was found for ${name}; the archive stayed at the top of the home as ${made}`)
}

function elsewhere(error: unknown, made: string): false {
  if (!(error instanceof Problem)) throw error
  if (error.kind === ownerProblems.AlreadyThere) return false
  throw error.kind(`${error.message}; the archive stayed at the top of the home as ${made}`, { cause: error })
}
