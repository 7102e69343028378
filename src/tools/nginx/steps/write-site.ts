import type { StepKind } from '../../../core/change.ts'
import { unifiedDiff } from '../../../host/apply/diff.ts'
import { mayReplace, stamped } from '../../../host/apply/stamp.ts'
import type { Applied } from '../../../host/apply/tool.ts'
import { hostWord } from '../quote.ts'
import type { NginxParts } from '../index.ts'

export interface WriteSiteArgs {
  readonly domain: string
  /** As `renderSite` makes it; null removes the site's file. */
  readonly content: string | null
  /** Replaces a file although it was edited by hand. */
  readonly overwrite?: boolean
}

export interface WriteSiteBefore {
  /** The file as it was, to the byte; null when there was none. */
  readonly content: string | null
}

/** The step that writes one site's file and puts it live. */
export function writeSite({
  host,
  layout,
  tool,
  program,
}: NginxParts): StepKind<WriteSiteArgs, WriteSiteBefore, Applied> {
  const pathOf = ({ domain }: WriteSiteArgs) => `${layout.sitesDirectory}/${hostWord(domain)}.conf`
  const live = async (args: WriteSiteArgs) => (await host.files.read(pathOf(args))) ?? null
  const wanted = ({ content }: WriteSiteArgs) => (content === null ? null : stamped(content))
  return {
    name: 'nginx.write-site',
    plan: async (args) => {
      const [path, lying, next] = [pathOf(args), (await live(args)) ?? undefined, wanted(args) ?? undefined]
      return {
        title: args.content === null ? `Stop serving ${args.domain}` : `Serve ${args.domain}`,
        files: [{ path, diff: unifiedDiff(path, lying, next) }],
        commands: [['nginx', '-t', '-c', layout.configPath]],
        reloads: ['nginx'],
        ...(!args.overwrite &&
          !mayReplace(lying, next) && { refused: `${path} was edited by hand since the panel wrote it` }),
      }
    },
    observe: async (args) => ({ content: await live(args) }),
    act: (args) =>
      host.apply(tool, [{ path: pathOf(args), content: args.content }], {
        overwrite: args.overwrite ?? false,
      }),
    undo: async (args, before) => {
      const edit = { path: pathOf(args), content: before.content, isVerbatim: true }
      await host.apply(tool, [edit], { overwrite: true })
    },
    check: async (args, before) => {
      const content = await live(args)
      if (!(await servesWhatLies())) return 'other'
      if (content === wanted(args)) return 'wanted'
      return content === before.content ? 'before' : 'other'
    },
  }

  /** A stopped nginx serves nothing old: it reads the files when it starts. */
  async function servesWhatLies(): Promise<boolean> {
    if ((await program.master()) === undefined) return true
    const generation = await host.files.read(layout.generationPath)
    return generation !== undefined && (await program.served()) === tool.generation.parse(generation)
  }
}
