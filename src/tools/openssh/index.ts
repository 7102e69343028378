import { detectOneOf } from '../../host/owner/index.ts'
import { tool } from '../tool.ts'
import { readAudit } from './audit-entries.ts'
import { keysIn } from './authorized-keys.ts'
import { followFailures } from './failures.ts'
import { readKeys } from './home-keys.ts'
import { type AccountAccess, dropInOf, renderDropIn } from './drop-in.ts'
import { findRefusals } from './refusals.ts'
import { setAccess } from './set-access.ts'
import { auditingState, setAuditing } from './set-auditing.ts'
import { ownerNamed, setKey } from './set-key.ts'
import { setPassword } from './set-password.ts'
import { findObstacle } from './sshd.ts'
import { readSignIns } from './sign-ins.ts'

export { KeyInvalid, KeysUnreadable, PasswordFailed, SessionsFailed, SshdRefused } from './problems.ts'
export { type Access, type AccountAccess } from './drop-in.ts'
export { type PublicKey, readNewKey } from './public-key.ts'
export type { SignIn } from './sign-ins.ts'

/** The SSH server: keys, sessions and sign-ins of Linux accounts. */
export const openssh = tool({
  name: 'openssh',
  title: 'OpenSSH server',
  packages: ['openssh-server'],
  service: 'ssh',
  isOptional: true,
  detect: async () => detectOneOf(['/usr/sbin/sshd'], 'SSH and SFTP need it'),
  steps: ({ host }) => ({
    setKey: setKey(host),
    setAccess: setAccess(host),
    setAuditing: setAuditing(host),
    setPassword: setPassword(host),
  }),
  verbs: ({ host }) => ({
    /** Lists the keys of an account, in the order of its authorized_keys. */
    keysOf: async (username: string) => keysIn(await readKeys(await ownerNamed(host, username))),
    /** Returns why sshd does not admit single accounts as the panel wants; undefined if it does. */
    obstacle: () => findObstacle(host),
    /** Returns why sshd refuses an account with a key; `afterKey` leaves out what adding a key mends. */
    refusalsOf: (username: string, options?: { readonly afterKey?: boolean }) =>
      findRefusals(host, username, options),
    /** True if sshd is told something else about an account, or nothing. */
    isOutdated: async (access: AccountAccess): Promise<boolean> =>
      (await host.files.read(dropInOf(access.username))) !== renderDropIn(access),
    /** Lists the recorded sign-ins of an account, the latest first. */
    signInsOf: (username: string) => readSignIns(host.run, username),
    /** `applied` if sshd is told to log each session, `absent` if it is told nothing. */
    stateOfAuditing: () => auditingState(host.files),
    /** Lists what sshd has logged of sign-ins and sessions. */
    auditEntries: () => readAudit(host),
    /** Yields the address of each sign-in that fails from now on; nothing where there is no sshd or no journal. */
    failures: (signal: AbortSignal) => followFailures(host, signal),
  }),
})
