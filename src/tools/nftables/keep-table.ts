import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { bootFile } from './load-table.ts'
import { ownTable } from './rule.ts'

export interface KeepTableArgs {
  /** Null where the host is to start without a firewall. */
  readonly text: string | null
}

/** The files by which systemd loads the table when the host starts. */
interface KeptState {
  readonly rules?: string
  readonly unit?: string
  readonly wants?: string
}

/** A start of nftables.service flushes every table: the unit follows each of its verbs. */
const unit = `# Written by Hostreeve: it loads the firewall before the network is up.
[Unit]
Description=Firewall of Hostreeve
DefaultDependencies=no
Before=network-pre.target shutdown.target
Wants=network-pre.target
After=local-fs.target nftables.service
Conflicts=shutdown.target
PartOf=nftables.service
ReloadPropagatedFrom=nftables.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/sbin/nft -f ${bootFile}
ExecReload=/usr/sbin/nft -f ${bootFile}
`
const wants = '[Unit]\nWants=hostreeve-firewall.service\n'
const paths = {
  rules: bootFile,
  unit: '/etc/systemd/system/hostreeve-firewall.service',
  wants: '/etc/systemd/system/sysinit.target.d/hostreeve-firewall.conf',
} as const
const parts = ['rules', 'unit', 'wants'] as const

/** The step that sets which table the host has after its next start. */
export function keepTable({ files }: Pick<Host, 'files'>): StepKind<KeepTableArgs, Was<KeptState>, null> {
  return stateStep<KeepTableArgs, KeptState>({
    name: 'nftables.keep-table',
    plan: ({ text }) => ({
      title: text === null ? 'Start the host without a firewall' : 'Start the host with these rules',
      objects: [{ name: bootFile, before: null, after: text === null ? null : `table inet ${ownTable}` }],
    }),
    read: async () => {
      const [rules, found, wanted] = await Promise.all(parts.map((part) => files.read(paths[part])))
      if (rules === undefined && found === undefined && wanted === undefined) return undefined
      return {
        ...(rules !== undefined && { rules }),
        ...(found !== undefined && { unit: found }),
        ...(wanted !== undefined && { wants: wanted }),
      }
    },
    wanted: ({ text }) => (text === null ? undefined : { rules: text, unit, wants }),
    startsFrom: 'observed',
    notUndone: 'it follows the firewall: change that under Firewall',
    write: async (_args, state) => {
      for (const part of parts) {
        const content = state?.[part]
        if (content === undefined) await files.remove(paths[part])
        else await write(files, paths[part], content)
      }
    },
  })
}

async function write(files: Host['files'], path: string, content: string): Promise<void> {
  if ((await files.read(path)) === content) return
  await files.makeDirectory(path.slice(0, path.lastIndexOf('/')))
  await files.write(path, content, { rights: { mode: path === bootFile ? 0o600 : 0o644 } })
}
