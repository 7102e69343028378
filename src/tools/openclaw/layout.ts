/** The account that runs the assistant, and nothing else of the panel. */
export const accountName = 'ai'
export const home = `/home/${accountName}`
export const serviceName = 'hostreeve-assistant'
export const unitPath = `/etc/systemd/system/${serviceName}.service`

/** Root's: the assistant reads its settings and cannot change them. */
export const settingsDirectory = '/etc/hostreeve-assistant'
export const configPath = `${settingsDirectory}/openclaw.json`
export const candidatePath = `${settingsDirectory}/candidate.json`
export const environmentPath = `${settingsDirectory}/environment`
export const certificatePath = `${settingsDirectory}/panel.crt`

/** Not below the panel itself, which an update replaces. */
export const directory = '/usr/local/lib/hostreeve/openclaw'
export const versionsDirectory = `${directory}/versions`
/** On loopback, where OpenClaw listens by default too. */
export const gatewayPort = 18_789

/** The version that is installed unless another is asked for. */
export const defaultVersion = '2026.9.6'
const nodeVersion = '26.10.0'
const nodePackage = `node-linux-${process.arch}`

/** True for what may be a version of OpenClaw: its year, month and number, and perhaps a suffix. */
export const isVersion = (text: string): boolean =>
  /^\d{4}\.\d{1,2}\.\d{1,3}(?:-[a-z0-9.]{1,20})?$/.test(text)

export const versionDirectory = (version: string): string => `${versionsDirectory}/${version}`
export const programPath = (version: string): string =>
  `${versionDirectory(version)}/node_modules/openclaw/openclaw.mjs`
export const nodePath = (version: string): string =>
  `${versionDirectory(version)}/node_modules/${nodePackage}/bin/node`
/** OpenClaw starts only without this file, which its script of npm would remove: in a fresh directory that is all it does. */
export const pendingPath = (version: string): string =>
  `${versionDirectory(version)}/node_modules/openclaw/.openclaw-lifecycle-pending`
/** The second channel is a plugin with the version of OpenClaw. */
export const channelPluginPath = (version: string): string =>
  `${versionDirectory(version)}/node_modules/@openclaw/discord`

/** The packages of npm that a version consists of; Debian's Node is too old for it. */
export const packagesOf = (version: string): readonly string[] => [
  `openclaw@${version}`,
  `@openclaw/discord@${version}`,
  `${nodePackage}@${nodeVersion}`,
]

/** The environment of each program of OpenClaw; its secrets are in a file. */
export const programEnvironment: Readonly<Record<string, string>> = {
  HOME: home,
  OPENCLAW_CONFIG_PATH: configPath,
  OPENCLAW_STATE_DIR: `${home}/.openclaw`,
  OPENCLAW_CONFIG_READONLY: '1',
  OPENCLAW_NO_RESPAWN: '1',
  OPENCLAW_DISABLE_BONJOUR: '1',
  NODE_COMPILE_CACHE: `${home}/.cache/node`,
  NODE_EXTRA_CA_CERTS: certificatePath,
}
