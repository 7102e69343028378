import { detectOneOf } from '../../host/owner/index.ts'
import { tool } from '../tool.ts'
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
    /** True if the panel has given an account passwordless sudo. */
    isOn: async (username: string): Promise<boolean> =>
      (await host.files.facts(entryPath(username))) !== undefined,
  }),
})
