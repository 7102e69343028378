import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import type { Host } from '../../../host/index.ts'
import { ForwardingFailed } from '../problems.ts'

export interface ForwardingArgs {
  readonly isOn: boolean
}

/** Whether the kernel forwards, and the file by which it does so after its next start. */
interface Forwarding {
  readonly ipv4: string
  readonly file?: string
}

export const forwardingPath = '/etc/sysctl.d/90-hostreeve-ipsec.conf'
const key = 'net.ipv4.ip_forward'
const limits = { timeoutMs: 20_000, maxBytes: 64 * 1024 }

/** The step that lets the kernel forward packets between tunnels and networks, or sets it back to what it was before the first tunnel. */
export function setForwarding(
  host: Pick<Host, 'run' | 'files'>,
): StepKind<ForwardingArgs, Was<Forwarding>, null> {
  return stateStep<ForwardingArgs, Forwarding>({
    name: 'strongswan.set-forwarding',
    plan: ({ isOn }) => ({
      title: isOn ? 'Let the kernel forward packets' : 'Set forwarding back to what it was before tunnels',
      objects: [{ name: forwardingPath, before: null, after: isOn ? `${key} = 1` : null }],
    }),
    read: async () => {
      const file = await host.files.read(forwardingPath)
      return { ipv4: await readKey(host), ...(file !== undefined && { file }) }
    },
    wanted: ({ isOn }, was) => (isOn ? forwarded(was) : restored(was)),
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

const forwarded = (was: Forwarding = { ipv4: '0' }): Forwarding => ({
  ipv4: '1',
  file:
    was.file ?? `# Written by Hostreeve for its IPsec tunnels. Before them it was ${was.ipv4}.\n${key} = 1\n`,
})

/** A host that forwarded before goes on doing so. */
const restored = (was: Forwarding = { ipv4: '0' }): Forwarding => ({
  ipv4: was.file === undefined ? was.ipv4 : (/ it was ([01])\./.exec(was.file)?.[1] ?? was.ipv4),
})

async function readKey({ run }: Pick<Host, 'run'>): Promise<string> {
  const { code, stdout, stderr } = await run(['sysctl', '-n', key], limits)
  if (code !== 0) throw ForwardingFailed(`sysctl: ${stderr.trim().slice(0, 500)}`)
  return stdout.trim()
}

async function writeKey({ run }: Pick<Host, 'run'>, value: string): Promise<void> {
  const { code, stderr } = await run(['sysctl', '-w', `${key}=${value}`], limits)
  if (code !== 0) throw ForwardingFailed(`sysctl: ${stderr.trim().slice(0, 500)}`)
}
