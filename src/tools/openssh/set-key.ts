import type { StepKind } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import type { Owner } from '../../host/owner/index.ts'
import { linesOfKey, withLine, withoutKey } from './authorized-keys.ts'
import { editKeys, readKeys } from './home-keys.ts'
import { countSessions, endSessions } from './sessions.ts'

export interface SetKeyArgs {
  readonly username: string
  readonly fingerprint: string
  /** The line with the key, a character for each byte; null removes the key. */
  readonly line: string | null
}

/** The lines of the key. */
interface KeyState {
  readonly lines: readonly string[]
}

type SetKey = StepKind<SetKeyArgs, Was<KeyState>, null>

/** Opens the home of an account of the host. */
export async function ownerNamed(host: Pick<Host, 'accounts' | 'owners'>, username: string): Promise<Owner> {
  const account = await host.accounts.find(username)
  if (account === undefined) throw Unavailable(`The Linux account ${username} no longer exists on this host`)
  return host.owners.of({ ...account, name: account.username })
}

/** The step that adds a key to the authorized_keys of an account, or removes it and ends the sessions that it has opened. */
export function setKey(host: Pick<Host, 'accounts' | 'owners' | 'run'>): SetKey {
  const textOf = async (username: string) => readKeys(await ownerNamed(host, username))
  const kind = stateStep<SetKeyArgs, KeyState>({
    name: 'openssh.set-key',
    plan: ({ username, fingerprint, line }) => ({
      title:
        line === null
          ? `Remove the key ${fingerprint} from ~/.ssh/authorized_keys of ${username}, and end the sessions that it has opened`
          : `Add the key ${fingerprint} to ~/.ssh/authorized_keys of ${username}`,
    }),
    preview: async ({ username, fingerprint, line }) => {
      if (line !== null) return {}
      const count = await countSessions(host.run, { username, fingerprint })
      return { details: count === 0 ? [] : [count === 1 ? '1 session ends' : `${count} sessions end`] }
    },
    read: async ({ username, fingerprint }) => {
      const lines = linesOfKey(await textOf(username), fingerprint)
      return lines.length === 0 ? undefined : { lines }
    },
    wanted: ({ line }) => (line === null ? undefined : { lines: [line] }),
    write: async ({ username, fingerprint }, state) => {
      await editKeys(await ownerNamed(host, username), (text) =>
        (state?.lines ?? []).reduce(withLine, withoutKey(text, fingerprint)),
      )
      if (state === undefined) await endSessions(host.run, { username, fingerprint })
    },
    isInEffect: async ({ username, fingerprint }) => {
      if (linesOfKey(await textOf(username), fingerprint).length > 0) return true
      return (await countSessions(host.run, { username, fingerprint })) === 0
    },
  })
  return {
    ...kind,
    notUndone: ({ line }) =>
      line === null ? 'a removed key does not become valid again: add it' : undefined,
  }
}
