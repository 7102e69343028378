import type { StepKind, StepState } from '../../../core/change.ts'
import type { Applied } from '../../../host/apply/tool.ts'
import type { NginxParts } from '../index.ts'
import type { LogDirectoryArgs, LogDirectoryBefore } from './make-log-directory.ts'
import type { WriteSiteArgs, WriteSiteBefore } from './write-site.ts'

export interface WriteSitesArgs {
  readonly sites: readonly {
    readonly domain: string
    /** As `renderSite` makes it. */
    readonly content: string
    /** The group of the site's owner, who may read the logs. */
    readonly gid: number
  }[]
  /** Replaces files although they were edited by hand. */
  readonly overwrite: boolean
}

interface SiteBefore {
  readonly file: WriteSiteBefore
  readonly logs: LogDirectoryBefore
}

/** How each site was, in their order. */
export type WriteSitesBefore = readonly SiteBefore[]

interface OfOne {
  readonly site: StepKind<WriteSiteArgs, WriteSiteBefore, Applied>
  readonly logs: StepKind<LogDirectoryArgs, LogDirectoryBefore, null>
}

const unseen: SiteBefore = { file: { content: null }, logs: { wasThere: true } }

/** The step that writes the files of many sites, with the places of their logs, and puts them live with one check and one reload. */
// oxlint-disable-next-line max-lines-per-function -- one sequence over shared local state
export function writeSites(
  { host, tool, layout }: NginxParts,
  { site, logs }: OfOne,
): StepKind<WriteSitesArgs, WriteSitesBefore, Applied> {
  const pathOf = ({ domain }: { readonly domain: string }) => `${layout.sitesDirectory}/${domain}.conf`
  const pairs = ({ sites, overwrite }: WriteSitesArgs, before: WriteSitesBefore) =>
    sites.map((one, at) => ({ one: { ...one, overwrite }, was: before[at] ?? unseen }))
  return {
    name: 'nginx.write-sites',
    plan: async (args) => {
      const plans = await Promise.all(pairs(args, []).map(({ one }) => site.plan(one)))
      const refused = plans.flatMap((plan) => plan.refused ?? [])
      return {
        title: `Serve ${args.sites.map(({ domain }) => domain).join(', ')}`,
        files: plans.flatMap(({ files }) => files ?? []),
        commands: [['nginx', '-t', '-c', layout.configPath]],
        reloads: ['nginx'],
        ...(refused.length > 0 && { refused: refused.join('\n') }),
      }
    },
    observe: (args) =>
      Promise.all(
        pairs(args, []).map(async ({ one }) => ({
          file: await site.observe(one),
          logs: await logs.observe(one),
        })),
      ),
    act: async (args, { before, ...run }) => {
      for (const { one, was } of pairs(args, before)) await logs.act(one, { before: was.logs, ...run })
      const edits = args.sites.map((one) => ({ path: pathOf(one), content: one.content }))
      return host.apply(tool, edits, { overwrite: args.overwrite })
    },
    undo: async (args, before) => {
      const edits = pairs(args, before).map(({ one, was }) => ({
        path: pathOf(one),
        content: was.file.content,
        isVerbatim: true,
      }))
      await host.apply(tool, edits, { overwrite: true })
      for (const { one, was } of pairs(args, before)) await logs.undo(one, was.logs)
    },
    check: async (args, before) => {
      const states = await Promise.all(
        pairs(args, before).map(async ({ one, was }) =>
          both(await site.check(one, was.file), await logs.check(one, was.logs), was.logs.wasThere),
        ),
      )
      return states.find((state) => state !== states[0]) === undefined ? (states[0] ?? 'wanted') : 'other'
    },
  }
}

/** A place for logs that was there before tells nothing: it stands in either state. */
function both(file: StepState, logs: StepState, hadLogs: boolean): StepState {
  if (file === logs || (hadLogs && logs === 'wanted')) return file
  return 'other'
}
