import { stateStep, type Was } from '../../core/steps.ts'
import type { StepKind } from '../../core/change.ts'
import { unless } from '../../core/problem.ts'
import { type Owner, ownerProblems } from '../../host/owner/index.ts'

export interface PlaceholderArgs {
  readonly username: string
  readonly domain: string
  /** Stored with the step: an undo removes only this page, also after an update of the panel. */
  readonly content: string
}

/** The step that gives an empty document root its first page. */
export type WritePlaceholder = StepKind<PlaceholderArgs, Was<true>, null>

type OwnerOf = (username: string) => Promise<Owner>

const maxBytes = 16_384

/** Makes the step; it runs under the owner's uid. A folder with content is kept as it is, in both directions. */
export function writePlaceholder(ownerOf: OwnerOf): WritePlaceholder {
  return stateStep({
    name: 'websites.write-placeholder',
    plan: ({ username, domain }: PlaceholderArgs) => ({
      title: `Write a placeholder page to ${pageOf(domain)} in the home of ${username} if the folder is empty`,
    }),
    read: async ({ username, domain }): Promise<true | undefined> =>
      (await hasEntries(await ownerOf(username), domain)) || undefined,
    wanted: (): true => true,
    startsFrom: 'observed', // the owner may add or remove files at any time
    write: async ({ username, domain, content }, hasContent, { now }) => {
      const owner = await ownerOf(username)
      const page = pageOf(domain)
      if (hasContent && !now)
        await unless(
          [ownerProblems.AlreadyThere],
          owner.write(page, Buffer.from(content), { ifAbsent: true }),
        )
      if (!hasContent && (await read(owner, page)) === content) await owner.remove([page])
    },
  })
}

const folderOf = (domain: string): string => `sites/${domain}/public`
const pageOf = (domain: string): string => `${folderOf(domain)}/index.html`

async function hasEntries(owner: Owner, domain: string): Promise<boolean> {
  const listed = await unless(
    [ownerProblems.NoSuchFile],
    owner.list(folderOf(domain), { perPage: 1, showHidden: true }),
  )
  return listed !== undefined && listed.total > 0
}

async function read(owner: Owner, path: string): Promise<string | undefined> {
  const found = await unless([ownerProblems.NoSuchFile], owner.read(path, { end: maxBytes }))
  return found && Buffer.concat(await found.stream.toArray()).toString('utf8')
}
