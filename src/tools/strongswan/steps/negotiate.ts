import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import { childIn, connectionOf, tunnelPath } from '../configuration.ts'
import { explain } from '../explain.ts'
import { readConnections } from '../live.ts'
import { NegotiationFailed, TunnelRefused } from '../problems.ts'
import { type CharonHost, swanctl } from '../swanctl.ts'
import { terminate } from './write-tunnel.ts'

export interface NegotiateArgs {
  readonly id: number
  readonly title: string
}

const timeoutSeconds = 20

/** The step that ends what a tunnel has agreed on, and agrees with the other gateway anew. */
export function negotiate(host: CharonHost): StepKind<NegotiateArgs, null, null> {
  return finalStep<NegotiateArgs>({
    name: 'strongswan.negotiate',
    plan: ({ id, title }) => ({
      title: `Negotiate the tunnel ${title} anew`,
      commands: [
        ['swanctl', '--terminate', '--ike', connectionOf(id)],
        ['swanctl', '--initiate', '--ike', connectionOf(id)],
      ],
    }),
    why: 'the former connection is gone',
    act: async ({ id }) => {
      const name = connectionOf(id)
      const child = childIn((await host.files.read(tunnelPath(id))) ?? '')
      if (child === undefined) throw TunnelRefused(`${tunnelPath(id)} is missing or was edited by hand`)
      await terminate(host, id)
      const { code, stdout, stderr } = await swanctl(
        host,
        ...['--initiate', '--ike', name, '--child', child, '--timeout', String(timeoutSeconds)],
      )
      if (code === 0) return null
      const lines = `${stdout}\n${stderr}`.split('\n')
      throw NegotiationFailed(
        explain(lines) ?? `The other gateway gave no answer within ${timeoutSeconds} seconds`,
      )
    },
    isDone: async ({ id }) => (await readConnections(host)).get(id)?.isUp ?? false,
  })
}
