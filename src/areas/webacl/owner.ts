import type { Caller } from '../../core/caller.ts'
import { type Change, change, step } from '../../core/change.ts'
import { type Lock, lock, singleLock } from '../../core/lock.ts'
import { BadRequest } from '../../core/problem.ts'
import { findWebsite } from '../websites/index.ts'
import { libraryFile, maxBytes, ownerFile } from './config/files.ts'
import type { AccessConfig, LibraryConfig } from './config/model.ts'
import type { Webacl } from './context.ts'
import type { Countries } from './model.ts'
import { WebsiteNotFound } from './problems.ts'

/** The owner of a website. */
export interface Owner {
  readonly id: number
  readonly username: string
  readonly website: { readonly id: number; readonly domain: string }
}

/** Whom a request concerns. */
export interface OwnerRequest {
  readonly website_id: number
  readonly caller: Caller
}

/** Held while an owner's rules change. */
export const rulesLock: (owner: number) => Lock = lock<[owner: number]>('access rules of')
export const libraryLock = singleLock('library of access rules')

/** Returns the owner of a website. */
export async function loadOwner({ websites }: Webacl, { website_id, caller }: OwnerRequest): Promise<Owner> {
  const site = await findWebsite(websites, website_id, caller)
  if (site === undefined) throw WebsiteNotFound(`website_id: there is no website ${website_id}`)
  return { id: site.user_id, username: site.username, website: { id: site.id, domain: site.domain } }
}

/** What an edit makes of an owner's rules, or of the library. */
interface Edited<Reply> {
  readonly config?: AccessConfig
  readonly library?: LibraryConfig
  readonly summary: string
  readonly reply: Reply
}

/** What an edit is made of. */
export interface Editable {
  readonly owner: Owner
  readonly config: AccessConfig
  readonly library: LibraryConfig
  readonly countries: Countries
}

/** Changes an owner's rules, which stay as they are in nginx until they are applied. */
export async function editRules<Reply>(
  on: Webacl,
  request: OwnerRequest,
  edit: (editable: Editable) => Edited<Reply> | Promise<Edited<Reply>>,
): Promise<Change<Reply>> {
  const owner = await loadOwner(on, request)
  const [config, library, countries] = await Promise.all([
    on.configs.read(owner.id),
    on.configs.readLibrary(),
    on.countries.state(new Date()),
  ])
  const edited = await edit({ owner, config, library, countries })
  const files = [
    ...(edited.config
      ? [fitting(ownerFile(owner.id, edited.config), () => ownerFile(owner.id, config))]
      : []),
    ...(edited.library ? [fitting(libraryFile(edited.library), () => libraryFile(library))] : []),
  ]
  return change({
    summary: edited.summary,
    locks: [rulesLock(owner.id), ...(edited.library ? [libraryLock] : [])],
    steps: files.map((file) => step(on.configs.write, file)),
    reply: edited.reply,
  })
}

type RulesFile = ReturnType<typeof ownerFile>

/** Returns a file that the panel can read again: one that is too large may only shrink. */
function fitting(next: RulesFile, former: () => RulesFile): RulesFile {
  const size = sizeOf(next)
  if (size <= maxBytes || size <= sizeOf(former())) return next
  throw BadRequest(
    `The access rules take at most ${maxBytes} bytes when they are stored, and these would take ${size}: use shorter texts, or fewer rules`,
  )
}

const sizeOf = ({ content }: RulesFile): number => Buffer.byteLength(content ?? '')
