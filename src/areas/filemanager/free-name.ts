import { archiveEndings, type Owner, ownerProblems } from '../../host/owner/index.ts'
import { Problem } from '../../core/problem.ts'
import { childOf, type TextPath } from './paths.ts'

const mostTries = 1000

/** Moves a new archive from the top of the home into a folder; if the requested name is taken, adds ` (2)` and so on before the file extension. */
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
    `${folder.field}: found no free name for ${name}; the archive remains at the top of the home as ${made}`,
  )
}

/** Returns the path that a new archive would get in a folder; throws if nothing can be created there. */
export async function findFreeName(
  owner: Owner,
  { folder, name }: { readonly folder: TextPath; readonly name: string },
): Promise<string> {
  for (const to of candidateNames(folder, name)) {
    const isFree = await owner
      .preview((one) => one.mkdir(to)) // creating any entry needs the same permissions on the folder
      .then(
        () => true,
        (error: unknown) => {
          if (error instanceof Problem && error.kind === ownerProblems.AlreadyThere) return false
          throw error
        },
      )
    if (isFree) return to.path
  }
  throw ownerProblems.AlreadyThere(`${folder.field}: found no free name for ${name}`)
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
  throw error.kind(`${error.message}; the archive remains at the top of the home as ${made}`, {
    cause: error,
  })
}
