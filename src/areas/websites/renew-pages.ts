import { randomUUID } from 'node:crypto'
import type { StepKind } from '../../core/change.ts'
import { Conflict, Problem, unless } from '../../core/problem.ts'
import { type Owner, ownerProblems } from '../../host/owner/index.ts'
import { inHome, readHomeFile, removeFromHome } from './home-files.ts'
import { generationName } from './served-cache.ts'

export interface RenewArgs {
  readonly username: string
  readonly domain: string
  /** True after a change of files or tables, which does not fail for its kept pages: they become old by themselves. */
  readonly isAfter?: boolean
}

interface Before {
  /** Null if there was no file. */
  readonly content: string | null
}

type OwnerOf = (username: string) => Promise<Owner>

const mostLength = 65_536

const pathOf = (domain: string) => `sites/${domain}/${generationName}`

/**
 * The step that gives the pages of a website new keys in the page cache, by the size and the time of its generation file: those that are kept are never asked for again, nor those
 * that are being made. Its undo does the same.
 */
export function renewPages(ownerOf: OwnerOf): StepKind<RenewArgs, Before, null> {
  const contentOf = async ({ username, domain, isAfter }: RenewArgs): Promise<string | null> => {
    const found = await unlessObstructed(isAfter, readHomeFile(await ownerOf(username), pathOf(domain)))
    return found?.text ?? null
  }
  return {
    name: 'websites.renew-pages',
    plan: ({ domain }) => ({ title: `Empty the page cache of ${domain}` }),
    observe: async (args) => ({ content: await contentOf(args) }),
    act: async ({ username, domain, isAfter }, { before: { content } }) => {
      await unlessObstructed(isAfter, write(await ownerOf(username), domain, next(content)))
      return null
    },
    undo: async ({ username, domain }, { content }) => {
      try {
        const owner = await ownerOf(username)
        if (content === null) await removeFromHome(owner, pathOf(domain))
        else await write(owner, domain, content) // at another time
      } catch (error) {
        if (!(error instanceof Problem)) throw error // pages become old by themselves, and the website goes first
      }
    },
    notUndone: 'pages are made again when somebody asks for them',
    check: async (args, { content }) => ((await contentOf(args)) === content ? 'before' : 'wanted'),
  }
}

/** Gives the pages of a website new keys. */
export async function renewGeneration(owner: Owner, domain: string): Promise<void> {
  const found = await readHomeFile(owner, pathOf(domain))
  await write(owner, domain, next(found?.text ?? null))
}

/** No backup brings the same content back, which would be taken for the former one. */
const next = (content: string | null): string =>
  `${content !== null && content.length < mostLength ? content : ''}${randomUUID().slice(0, 8)}`

/** Makes no folder: a website that was moved or deleted keeps no pages there. */
const write = (owner: Owner, domain: string, text: string) =>
  unless(
    [ownerProblems.NoSuchFile],
    inHome(() => owner.write(pathOf(domain), Buffer.from(text), { mode: 0o644 })),
  )

async function unlessObstructed<Value>(
  isAfter: boolean | undefined,
  pending: Promise<Value>,
): Promise<Value | undefined> {
  return isAfter === true ? unless([Conflict], pending) : pending
}
