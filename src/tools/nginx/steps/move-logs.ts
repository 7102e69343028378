import type { StepKind } from '../../../core/change.ts'
import { logDirectory } from '../layout.ts'
import type { NginxParts } from '../parts.ts'

export interface MoveLogsArgs {
  readonly from: string
  readonly to: string
}

interface MoveLogsBefore {
  readonly hadLogs: boolean
}

/**
 * The step that gives the logs of a site the name of its new domain, which has none. Until nginx is reloaded
 * its workers continue writing to the moved files.
 */
export function moveLogs({
  host: { files },
  layout,
}: NginxParts): StepKind<MoveLogsArgs, MoveLogsBefore, null> {
  const exists = async (domain: string) => (await files.facts(logDirectory(layout, domain))) !== undefined
  const move = async (from: string, to: string) => {
    if ((await exists(from)) && !(await exists(to)))
      await files.move(logDirectory(layout, from), logDirectory(layout, to))
  }
  return {
    name: 'nginx.move-logs',
    plan: ({ from, to }) => ({ title: `Keep the logs of ${from} as those of ${to}` }),
    observe: async ({ from }) => ({ hadLogs: await exists(from) }),
    act: async ({ from, to }, { before }) => {
      if (before.hadLogs) await move(from, to)
      return null
    },
    undo: ({ from, to }, { hadLogs }) => (hadLogs ? move(to, from) : Promise.resolve()),
    check: async ({ from, to }, { hadLogs }) => {
      if (!hadLogs || ((await exists(to)) && !(await exists(from)))) return 'wanted'
      return (await exists(from)) ? 'before' : 'other'
    },
  }
}
