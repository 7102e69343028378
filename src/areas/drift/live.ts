import { NotFound, Problem } from '../../core/problem.ts'
import { readLive } from '../../host/apply/edited-file.ts'
import type { Host } from '../../host/index.ts'
import { mostBytes, programOf, readLarge, type Snapshots } from '../snapshots/index.ts'
import { serviceFacts, shownExpiry, textOf } from './facts.ts'
import type { Content, Recorded } from './record.ts'

/** What the present states are read with. */
export interface LiveParts {
  readonly files: Host['files']
  readonly services: Host['services']
  readonly accounts: Host['accounts']
  readonly managed: Snapshots['managed']
}

/** Reads the present state of an object; null if there is none. */
export function readState(on: LiveParts, recorded: Recorded): Promise<Content> {
  if (recorded.kind === 'file') return readFileState(on, recorded)
  return recorded.kind === 'service' ? readService(on, recorded.name) : readAccount(on, recorded.name)
}

/** A link or a directory in the place of a file is none. */
async function readFileState({ files, managed }: LiveParts, { name, program }: Recorded): Promise<Content> {
  const facts = await files.facts(name)
  if (facts?.kind !== 'file') return null
  if (facts.sizeBytes > mostBytes) return readLarge(files, name, facts.sizeBytes)
  const isEdited = programOf({ managed }, program)?.program.kind === 'edited'
  return isEdited ? (await readLive(files, name)).text : ((await files.read(name)) ?? null)
}

async function readService({ services }: LiveParts, name: string): Promise<Content> {
  try {
    const { active, enabled } = await services.status(name)
    return textOf(serviceFacts(active, enabled))
  } catch (error) {
    if (error instanceof Problem && error.kind === NotFound) return null
    throw error
  }
}

async function readAccount({ accounts }: LiveParts, name: string): Promise<Content> {
  const [account, access] = [await accounts.find(name), await accounts.access(name)]
  if (account === undefined || access === undefined) return null
  const { uid, home, shell } = account
  return textOf({ uid: String(uid), home, shell, expires: shownExpiry(access.expires) })
}
