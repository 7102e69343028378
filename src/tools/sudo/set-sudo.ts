import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { entryPath, membership, renderEntry, setMember, writeEntry } from './sudoers.ts'

export interface SetSudoArgs {
  readonly username: string
  readonly uid: number
  readonly isOn: boolean
}

/** The entry of an account in sudoers.d, and its membership in each administrative group of the host. */
export interface SudoState {
  readonly entry?: string
  readonly groups: Readonly<Record<string, boolean>>
}

/** The step that switches passwordless sudo of an account on or off. */
export function setSudo(host: Pick<Host, 'run' | 'files'>): StepKind<SetSudoArgs, Was<SudoState>, null> {
  return stateStep<SetSudoArgs, SudoState>({
    name: 'sudo.set',
    plan: ({ username, isOn }) => ({
      title: isOn
        ? `Let ${username} run every command as root without a password`
        : `Remove ${username} from those who run commands as root`,
      objects: [
        { name: entryPath(username), before: isOn ? 'absent' : 'present', after: isOn ? 'present' : null },
      ],
      commands: [['visudo', '--check']],
    }),
    notUndone: 'rights of root are not given or taken by an undo: switch sudo again',
    read: async ({ username }) => {
      const entry = await host.files.read(entryPath(username))
      return { ...(entry !== undefined && { entry }), groups: await membership(host.run, username) }
    },
    wanted: ({ username, uid, isOn }, was) => ({
      ...(isOn && { entry: renderEntry(username, uid) }),
      groups: Object.fromEntries(Object.keys(was?.groups ?? {}).map((group) => [group, isOn])),
    }),
    write: async ({ username }, state, { now }) => {
      if (state?.entry === undefined) await host.files.remove(entryPath(username))
      for (const [group, isMember] of Object.entries(state?.groups ?? {}))
        if (isMember !== now?.groups[group]) await setMember(host.run, username, { group, isMember })
      if (state?.entry !== undefined && state.entry !== now?.entry)
        await writeEntry(host, username, state.entry)
    },
  })
}
