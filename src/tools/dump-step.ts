import type { Readable } from 'node:stream'
import type { StepKind, StepRun } from '../core/change.ts'
import { Problem } from '../core/problem.ts'
import { type FileStat, type Owner, ownerProblems } from '../host/owner/index.ts'

interface DumpArgs {
  readonly username: string
  readonly database: string
  /** The name of the file, without its ending, in the folder for dumps. */
  readonly name: string
}

/** A dump in the home of the owner. */
export interface DumpFile {
  /** Relative to the home. */
  readonly file: string
  readonly size_bytes: number
}

type Before = { readonly file: string }

/** Receives the number of bytes of the dump so far, before they are packed. */
type OnProgress = (bytes: number) => void

interface DumpDraft {
  /** `<tool>.export`. */
  readonly name: string
  /** Of the name of the file: `.sql.gz`. */
  readonly ending: string
  readonly ownerOf: (username: string) => Promise<Owner>
  /** The command that dumps a database, as the plan shows it. */
  readonly argv: (database: string) => readonly [string, ...string[]]
  /** Opens the dump, packed; destroying the stream ends it. */
  readonly open: (
    owner: Owner,
    database: string,
    options: { readonly signal: AbortSignal; readonly onProgress: OnProgress },
  ) => Readable | Promise<Readable>
  /** Removes from the server what a dump needs there; after one that was broken off too. */
  readonly clear?: (database: string) => Promise<unknown>
}

/** The folder for dumps in a home. */
export const dumpFolder = 'db'

const mostNumbers = 1000

/** The step that writes a packed dump of a database into the home of its owner; the file is whole or not there. */
export function dumpStep({
  name: kind,
  ending,
  ownerOf,
  argv,
  open,
  clear,
}: DumpDraft): StepKind<DumpArgs, Before, DumpFile> {
  const foundAt = async ({ username }: DumpArgs, { file }: Before) => findFile(await ownerOf(username), file)
  return {
    name: kind,
    plan: ({ username, database, name }) => ({
      title: `Write a dump of the database ${database} to ${dumpFolder}/${name}${ending} of ${username}`,
      commands: [argv(database)],
    }),
    observe: async ({ username, name }) => ({ file: await freeName(await ownerOf(username), name, ending) }),
    act: async ({ username, database }, { before: { file }, signal, progress }) => {
      const owner = await ownerOf(username)
      await makeFolder(owner)
      try {
        const dump = await open(owner, database, { signal, onProgress: reporting(progress) })
        const { size } = await owner.write(file, dump, { ifAbsent: true, mode: 0o600, signal })
        return { file, size_bytes: size }
      } finally {
        await clear?.(database)
      }
    },
    // to list a folder removes the temporary files that a killed helper has left in it
    undo: async ({ username, database }) => {
      await clear?.(database)
      const owner = await ownerOf(username)
      if ((await findFile(owner, dumpFolder))?.type === 'folder') await owner.list(dumpFolder)
    },
    notUndone: 'the owner may have changed the file by now: delete it instead',
    check: async (args, before) => ((await foundAt(args, before)) === undefined ? 'before' : 'wanted'),
    again: async (args, before) => {
      const found = await foundAt(args, before)
      return found && { file: before.file, size_bytes: found.size_bytes }
    },
  }
}

const reportedBytes = 4 * 1024 * 1024

function reporting(progress: StepRun<unknown>['progress']): (bytes: number) => void {
  let reported = 0
  return (bytes) => {
    if (bytes - reported < reportedBytes) return
    reported = bytes
    progress(null, `${bytes} bytes were dumped`)
  }
}

async function findFile(owner: Owner, path: string): Promise<FileStat | undefined> {
  try {
    return await owner.stat({ field: 'file', path })
  } catch (error) {
    if (error instanceof Problem && error.kind === ownerProblems.NoSuchFile) return undefined
    throw error
  }
}

/** A link is refused: the dump would be written to where it points. */
async function makeFolder(owner: Owner): Promise<void> {
  const folder = await findFile(owner, dumpFolder)
  if (folder === undefined) return owner.mkdir(dumpFolder, { mode: 0o750 })
  if (folder.type !== 'folder') throw ownerProblems.NotAFolder(`${dumpFolder} of the home is not a folder`)
}

async function freeName(owner: Owner, name: string, ending: string): Promise<string> {
  for (let number = 0; number < mostNumbers; number += 1) {
    const file = `${dumpFolder}/${name}${number === 0 ? '' : `-${number}`}${ending}`
    if ((await findFile(owner, file)) === undefined) return file
  }
  throw ownerProblems.AlreadyThere(`${mostNumbers} files named ${name}${ending} already exist`)
}
