import { detectOneOf } from '../../host/owner/index.ts'
import { tool } from '../tool.ts'
import { mayRun } from './may-run.ts'
import { setSudo } from './set-sudo.ts'
import { entryPath } from './sudoers.ts'

export { SudoFailed } from './sudoers.ts'

/** Passwordless sudo of Linux accounts. */
export const sudo = tool({
  name: 'sudo',
  title: 'sudo',
  packages: ['sudo'],
  isOptional: true,
  detect: async () => detectOneOf(['/usr/sbin/visudo'], 'passwordless sudo of accounts needs it'),
  steps: ({ host }) => ({ set: setSudo(host) }),
  verbs: ({ host }) => ({
    /** True if any rule of sudoers(5), whoever wrote it, lets an account run something as another one. */
    mayRun: (username: string): Promise<boolean> => mayRun(host, username),
    /** True if the panel has given an account passwordless sudo. */
    isOn: async (username: string): Promise<boolean> =>
      (await host.files.facts(entryPath(username))) !== undefined,
  }),
})
