import { archiveEndings, type Owner, ownerProblems } from '../../host/owner/index.ts'
import { Problem } from '../../core/problem.ts'
import { childOf, type TextPath } from './paths.ts'

const mostTries = 1000

/** Moves a new archive from the top of the home into a folder, there under the name that was asked for; where it is taken, ` (2)` and so on is put before its ending. */
export async function moveToFreeName(
  owner: Owner,
  made: string,
  { folder, name }: { readonly folder: TextPath; readonly name: string },
): Promise<string> {
  for (const to of candidateNames(folder, name)) {
    const isThere = await owner.move(made, to).then(
      () => true,
      (error: unknown) => elsewhere(error, made),
    )
    if (isThere) return to.path
  }
  throw ownerProblems.AlreadyThere(
    `${folder.field}: no free name was found for ${name}; the archive stayed at the top of the home as ${made}`,
  )
}

/** The place that a new archive would get in a folder; refuses a folder that takes none. */
export async function findFreeName(
  owner: Owner,
  { folder, name }: { readonly folder: TextPath; readonly name: string },
): Promise<string> {
  for (const to of candidateNames(folder, name)) {
    const isFree = await owner
      .preview((one) => one.mkdir(to)) // any name that is made there asks the same of the folder
      .then(
        () => true,
        (error: unknown) => {
          if (error instanceof Problem && error.kind === ownerProblems.AlreadyThere) return false
          throw error
        },
      )
    if (isFree) return to.path
  }
  throw ownerProblems.AlreadyThere(`${folder.field}: no free name was found for ${name}`)
}

function* candidateNames(folder: TextPath, name: string): Generator<TextPath> {
  const ending = archiveEndings.find((each) => name.toLowerCase().endsWith(each)) ?? ''
  const stem = name.slice(0, name.length - ending.length)
  for (let count = 1; count <= mostTries; count++) {
    const path = count === 1 ? name : `${stem} (${count})${name.slice(stem.length)}`
    yield childOf(folder, { field: folder.field, path })
  }
}

function elsewhere(error: unknown, made: string): false {
  if (!(error instanceof Problem)) throw error
  if (error.kind === ownerProblems.AlreadyThere) return false
  throw error.kind(`${error.message}; the archive stayed at the top of the home as ${made}`, { cause: error })
}
