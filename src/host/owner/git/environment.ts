import { inside } from '../confinement.ts'

/** A folder of the namespace, in memory: git's home, with the files for one run. */
export const runFolder = `${inside}/git`
/** The address of the relay, in the namespace's own loopback: no other port is in use there. */
export const relayPort = 1080

/** A setting that applies whatever the repository configures: git reads the settings of the command last. */
export type Setting = readonly [key: string, value: string]

// git-config(1). Every setting here that names a program names one that does nothing, so that no setting of a repository starts its own.
const always: readonly Setting[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.sshCommand', '/usr/bin/ssh'],
  ['core.askPass', ''],
  ['core.pager', 'cat'],
  ['core.editor', '/usr/bin/false'],
  ['sequence.editor', '/usr/bin/false'],
  ['credential.helper', ''],
  ['credential.useHttpPath', 'false'],
  ['gpg.program', '/usr/bin/false'],
  ['gpg.openpgp.program', '/usr/bin/false'],
  ['gpg.x509.program', '/usr/bin/false'],
  ['gpg.ssh.program', '/usr/bin/false'],
  ['gpg.ssh.defaultKeyCommand', ''],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['merge.verifySignatures', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['status.submoduleSummary', 'false'],
  ['diff.submodule', 'short'],
  ['safe.directory', '*'],
  ['safe.bareRepository', 'explicit'],
  ['protocol.allow', 'never'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['pack.threads', '1'],
  ['pack.windowMemory', '128m'],
  ['core.bigFileThreshold', '32m'],
  ['core.quotePath', 'false'],
  ['diff.orderFile', '/dev/null'], // a missing file would fail every comparison
  ['core.ignoreCase', 'false'], // the repository may be copied from another system: here, names that differ in case are different
  ['i18n.commitEncoding', 'UTF-8'],
  ['i18n.logOutputEncoding', 'UTF-8'],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  ['advice.detachedHead', 'false'],
  ['http.proxy', `socks5h://127.0.0.1:${relayPort}`],
  ['http.sslVerify', 'true'],
  ['http.followRedirects', 'initial'],
  ['http.lowSpeedLimit', '1'],
  ['http.lowSpeedTime', '60'],
]

/** git(1), ENVIRONMENT VARIABLES: no settings of root, the panel or the account are read, and nothing prompts. */
export function gitEnvironment(
  settings: readonly Setting[],
  protocols: readonly string[],
): Readonly<Record<string, string>> {
  const all = [...always, ...settings]
  return {
    PATH: '/usr/bin:/bin',
    HOME: runFolder,
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/usr/bin/false',
    SSH_ASKPASS: '/usr/bin/false',
    GIT_SSH: '/usr/bin/ssh',
    GIT_SSH_VARIANT: 'ssh',
    GIT_PAGER: 'cat',
    GIT_EDITOR: '/usr/bin/false',
    GIT_SEQUENCE_EDITOR: '/usr/bin/false',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_ALLOW_PROTOCOL: protocols.length === 0 ? 'none' : protocols.join(':'),
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(
      all.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  }
}
