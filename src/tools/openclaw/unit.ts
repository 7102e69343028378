import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import {
  accountName,
  environmentPath,
  gatewayPort,
  home,
  nodePath,
  programEnvironment,
  programPath,
  unitPath,
} from './layout.ts'

/**
 * Renders the unit of the gateway. Exit status 78 means that the configuration is not valid: a restart would not
 * help (the unit of OpenClaw's own documentation has the same line). It has no RestrictSUIDSGID, which refuses `openat2`,
 * by which OpenClaw makes the locks of its state.
 */
export function renderUnit(version: string): string {
  const environment = Object.entries(programEnvironment).map(
    ([name, value]) => `Environment=${name}=${value}`,
  )
  return `# Written by Hostreeve.
[Unit]
Description=Assistant of Hostreeve (OpenClaw ${version})
After=network-online.target
Wants=network-online.target

[Service]
User=${accountName}
Group=${accountName}
WorkingDirectory=${home}
${environment.join('\n')}
ExecStart=${nodePath(version)} --env-file=${environmentPath} ${programPath(version)} gateway run --port ${gatewayPort}
Restart=always
RestartSec=5
RestartPreventExitStatus=78
SuccessExitStatus=0 143
TimeoutStopSec=60
KillMode=mixed
UMask=0077
NoNewPrivileges=yes
PrivateTmp=yes
ProtectSystem=full
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes

[Install]
WantedBy=multi-user.target
`
}

/** Returns the version that a unit starts; undefined if it is none of the panel's. */
export const versionIn = (unit: string | undefined): string | undefined =>
  /^ExecStart=\S+ \S+ \S+\/versions\/([^/\s]+)\//m.exec(unit ?? '')?.[1]

interface UnitArgs {
  /** Null removes the unit. */
  readonly version: string | null
}

/** The step that writes or removes the unit of the gateway. */
export const writeUnit = ({
  files,
  services,
}: Pick<Host, 'files' | 'services'>): StepKind<UnitArgs, Was<string>, null> =>
  stateStep<UnitArgs, string>({
    name: 'openclaw.write-unit',
    plan: ({ version }) => ({
      title: version === null ? `Remove ${unitPath}` : `Write ${unitPath}`,
      objects: [{ name: unitPath, before: null, after: version === null ? null : `OpenClaw ${version}` }],
      commands: [['systemctl', 'daemon-reload']],
    }),
    read: () => files.read(unitPath),
    wanted: ({ version }) => (version === null ? undefined : renderUnit(version)),
    write: async (_args, text) => {
      if (text === undefined) await files.remove(unitPath)
      else {
        await files.makeDirectory('/etc/systemd/system')
        await files.write(unitPath, text)
      }
      await services.reloadUnits()
    },
  })
