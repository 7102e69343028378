import type { StepKind } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { finalStep } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { PasswordFailed } from './problems.ts'
import { endSessions } from './sessions.ts'

export interface SetPasswordArgs {
  readonly username: string
  /** Null locks the password: no password is accepted any more. */
  readonly password: string | null
}

const limits = { timeoutMs: 20_000, maxBytes: 64 * 1024 }

/** The step that sets the password of an account, or locks it; sessions that the former password may have opened end. */
export function setPassword({ run }: Pick<Host, 'run'>): StepKind<SetPasswordArgs, null, null> {
  return finalStep<SetPasswordArgs>({
    name: 'openssh.set-password',
    plan: ({ username, password }) => ({
      title: `${password === null ? 'Lock' : 'Set'} the password of the Linux account ${username}, and end its SSH sessions`,
      commands: [password === null ? ['usermod', '--lock', '--', username] : ['chpasswd']],
    }),
    why: 'the former password is not kept',
    act: async ({ username, password }) => {
      if (password?.includes('\n')) throw PasswordFailed(`${username}: a password is one line`)
      const { code, stderr } =
        password === null
          ? await run(['usermod', '--lock', '--', username], limits)
          : await run(['chpasswd'], { ...limits, input: `${username}:${password}\n` })
      if (code === 127) throw Unavailable('chpasswd is not installed')
      if (code !== 0) throw PasswordFailed(`${username}: ${stderr.trim().slice(0, 1000)}`)
      await endSessions(run, { username })
      return null
    },
    isDone: async () => undefined,
  })
}
