import type { StepKind } from '../../core/change.ts'
import { problem } from '../../core/problem.ts'
import { finalStep } from '../../core/steps.ts'
import type { Account } from '../../host/accounts.ts'
import type { Host } from '../../host/index.ts'
import { passedBy } from './lines.ts'
import { recorderPath } from './recorder.ts'
import { listRuns, readOutput } from './runs.ts'

export const RunFailed = problem('run_failed', 500, 'The line of the crontab could not be run')

export interface RunLineArgs {
  readonly siteId: number
  readonly command: string
  readonly account: Pick<Account, 'uid' | 'gid' | 'home'> & { readonly username: string }
  /** The variables of the crontab above the line. */
  readonly variables: Readonly<Record<string, string>>
  /** Of this run alone. */
  readonly token: string
}

export interface RunLineResult {
  readonly exit_status: number
  readonly output: string
}

const hourMs = 3_600_000

/** The step that runs a line of a crontab at once, as cron does: under its owner, in the home, with the variables of the crontab. */
export function runLine(host: Pick<Host, 'run' | 'files'>): StepKind<RunLineArgs, null, RunLineResult> {
  const find = async ({ siteId, account, token }: RunLineArgs) =>
    (await listRuns(host, siteId, account)).find(({ startedBy }) => startedBy === token)
  return finalStep({
    name: 'cron.run-line',
    plan: ({ command, account }: RunLineArgs) => ({ title: `Run as ${account.username}: ${command}` }),
    why: 'what a command has done cannot be taken back',
    act: async (args, { signal }) => {
      const { script, input } = passedBy(args.command)
      const { code, stderr } = await host.run([host.files.real(recorderPath), '-c', script], {
        as: { uid: args.account.uid, gid: args.account.gid },
        cwd: args.account.home,
        env: environmentOf(args),
        input,
        timeoutMs: hourMs,
        maxBytes: 4096,
        signal,
      })
      signal.throwIfAborted()
      const found = await find(args)
      if (found === undefined) throw RunFailed(`It ended with ${code}: ${stderr.trim().slice(0, 1000)}`)
      return {
        exit_status: found.status,
        output: await readOutput(host, args.siteId, args.account, found.name),
      }
    },
    isDone: async (args) => (await find(args)) !== undefined,
  })
}

/** That of cron (crontab(5)), with the variables of the crontab. */
function environmentOf({ siteId, account, variables, token }: RunLineArgs): Record<string, string> {
  const { SHELL: shell, ...others } = variables
  return {
    PATH: '/usr/bin:/bin',
    HOME: account.home,
    ...others,
    LOGNAME: account.username,
    USER: account.username,
    SHELL: shell ?? '/bin/sh',
    HOSTREEVE_CRON: String(siteId),
    HOSTREEVE_RUN: token,
    MAILTO: '',
    ...(shell !== undefined && { HOSTREEVE_SHELL: shell }),
  }
}
