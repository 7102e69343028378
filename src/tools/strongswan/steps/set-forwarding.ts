import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { plannedObject } from '../../../host/apply/steps.ts'
import type { Host } from '../../../host/index.ts'
import { hasBridge } from '../networks.ts'
import { ForwardingFailed } from '../problems.ts'

export interface ForwardingArgs {
  readonly isOn: boolean
}

/** Whether the kernel forwards, and the file by which it does so after its next start. */
interface Forwarding {
  readonly ipv4: string
  readonly file?: string
  /** True if another file or a bridge of containers needs forwarding too. */
  readonly isShared: boolean
}

export const forwardingPath = '/etc/sysctl.d/90-hostreeve-ipsec.conf'
const key = 'net.ipv4.ip_forward'
const limits = { timeoutMs: 20_000, maxBytes: 64 * 1024 }

/** The step that lets the kernel forward packets between tunnels and networks, or sets it back to what it was before the first tunnel. */
export function setForwarding(
  host: Pick<Host, 'run' | 'files'>,
): StepKind<ForwardingArgs, Was<Forwarding>, null> {
  const read = async (): Promise<Forwarding> => {
    const file = await host.files.read(forwardingPath)
    return {
      ipv4: await readKey(host),
      ...(file !== undefined && { file }),
      isShared: (await isSetElsewhere(host)) || (await hasBridge(host)),
    }
  }
  const wanted = ({ isOn }: ForwardingArgs, was?: Forwarding) => (isOn ? forwarded(was) : restored(was))
  return stateStep<ForwardingArgs, Forwarding>({
    name: 'strongswan.set-forwarding',
    plan: ({ isOn }) => ({
      title: isOn ? 'Let the kernel forward packets' : 'Set forwarding back to what it was before tunnels',
    }),
    ...plannedObject<ForwardingArgs, Forwarding>({
      object: () => key,
      read,
      wanted,
      show: ({ ipv4, file }) => (file === undefined ? ipv4 : `${ipv4}, in ${forwardingPath} too`),
    }),
    read,
    wanted,
    startsFrom: 'observed',
    write: async (_args, state, { now }) => {
      if (state === undefined) return
      if (state.file === undefined) await host.files.remove(forwardingPath)
      else {
        await host.files.makeDirectory('/etc/sysctl.d')
        await host.files.write(forwardingPath, state.file)
      }
      if (now?.ipv4 !== state.ipv4) await writeKey(host, state.ipv4)
    },
  })
}

const nothing: Forwarding = { ipv4: '0', isShared: false }

const forwarded = ({ ipv4, file, isShared }: Forwarding = nothing): Forwarding => ({
  ipv4: '1',
  file: file ?? `# Written by Hostreeve for its IPsec tunnels. Before them it was ${ipv4}.\n${key} = 1\n`,
  isShared,
})

/** A host that forwarded before, or has another reason by now, goes on doing so. */
const restored = ({ ipv4, file, isShared }: Forwarding = nothing): Forwarding => ({
  ipv4: isShared ? ipv4 : (/ it was ([01])\./.exec(file ?? '')?.[1] ?? ipv4),
  isShared,
})

/** Returns whether another file of sysctl(8) lets the kernel forward, such as that of a mesh VPN. */
async function isSetElsewhere({ files }: Pick<Host, 'files'>): Promise<boolean> {
  const names = await files.list('/etc/sysctl.d')
  const paths = names.filter((name) => name.endsWith('.conf')).map((name) => `/etc/sysctl.d/${name}`)
  for (const path of ['/etc/sysctl.conf', ...paths.filter((each) => each !== forwardingPath)]) {
    const text = (await files.read(path)) ?? ''
    if (/^\s*-?net[./]ipv4[./](?:ip_forward|conf[./]all[./]forwarding)\s*=\s*1\s*$/m.test(text)) return true
  }
  return false
}

async function readKey({ run }: Pick<Host, 'run'>): Promise<string> {
  const { code, stdout, stderr } = await run(['sysctl', '-n', key], limits)
  if (code !== 0) throw ForwardingFailed(`sysctl: ${stderr.trim().slice(0, 500)}`)
  return stdout.trim()
}

/** In a unit of its own: that of the panel may not write to /proc/sys (`ProtectKernelTunables`). */
async function writeKey({ run }: Pick<Host, 'run'>, value: string): Promise<void> {
  const { code, stderr } = await run(['sysctl', '-w', `${key}=${value}`], { ...limits, isLasting: true })
  if (code !== 0) throw ForwardingFailed(`sysctl: ${stderr.trim().slice(0, 500)}`)
}
