import type { StepKind } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'
import type { Owner } from '../../host/owner/index.ts'
import { readHomeFile, removeFromHome, writeHomeFile } from './home-files.ts'
import { generationName } from './served-cache.ts'

export interface RenewArgs {
  readonly username: string
  readonly domain: string
}

interface Before {
  /** Null if there was no file. */
  readonly content: string | null
}

const mostLength = 65_536

/**
 * The step that gives the pages of a website new keys in the page cache, by the size and the time of its generation file: those that are kept are never asked for again, nor those
 * that are being made. Its undo does the same.
 */
export function renewPages(ownerOf: (username: string) => Promise<Owner>): StepKind<RenewArgs, Before, null> {
  const pathOf = ({ domain }: RenewArgs) => `sites/${domain}/${generationName}`
  const contentOf = async (args: RenewArgs) =>
    (await readHomeFile(await ownerOf(args.username), pathOf(args)))?.text ?? null
  return {
    name: 'websites.renew-pages',
    plan: ({ domain }) => ({ title: `Empty the page cache of ${domain}` }),
    observe: async (args) => ({ content: await contentOf(args) }),
    act: async (args, { before: { content } }) => {
      const former = content !== null && content.length < mostLength ? content : ''
      await writeHomeFile(await ownerOf(args.username), pathOf(args), `${former}.`, { mode: 0o644 })
      return null
    },
    undo: async (args, { content }) => {
      try {
        const owner = await ownerOf(args.username)
        if (content === null) await removeFromHome(owner, pathOf(args))
        else await writeHomeFile(owner, pathOf(args), content, { mode: 0o644 }) // at another time
      } catch (error) {
        if (!(error instanceof Problem)) throw error // pages become old by themselves, and the website goes first
      }
    },
    notUndone: 'pages are made again when somebody asks for them',
    check: async (args, { content }) => ((await contentOf(args)) === content ? 'before' : 'wanted'),
  }
}
