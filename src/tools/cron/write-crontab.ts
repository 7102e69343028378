import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { recorder, recorderPath } from './recorder.ts'
import { crontabPath } from './render.ts'

export interface WriteCrontabArgs {
  readonly siteId: number
  /** As rendered by `renderCrontab`; null removes the file. */
  readonly content: string | null
}

/** The step that writes or removes the crontab of a website; cron reads it within a minute. */
export function writeCrontab({ files }: Pick<Host, 'files'>): StepKind<WriteCrontabArgs, Was<string>, null> {
  return stateStep<WriteCrontabArgs, string>({
    name: 'cron.write-crontab',
    plan: ({ siteId, content }) => ({
      title: content === null ? `Remove ${crontabPath(siteId)}` : `Write ${crontabPath(siteId)}`,
      objects: [{ name: crontabPath(siteId), before: null, after: content }],
    }),
    read: ({ siteId }) => files.read(crontabPath(siteId)),
    wanted: ({ content }) => content ?? undefined,
    write: async ({ siteId }, content) => {
      if (content === undefined) return files.remove(crontabPath(siteId))
      if ((await files.read(recorderPath)) !== recorder) {
        await files.makeDirectory(recorderPath.slice(0, recorderPath.lastIndexOf('/')), { mode: 0o755 })
        await files.write(recorderPath, recorder, { rights: { mode: 0o755 } })
      }
      await files.makeDirectory('/etc/cron.d', { mode: 0o755 })
      return files.write(crontabPath(siteId), content, { rights: { mode: 0o644 } })
    },
  })
}
