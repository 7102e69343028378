import { createHash } from 'node:crypto'
import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import type { Seal } from '../../store/secrets.ts'
import type { Licence } from '../licence/index.ts'
import { type PartnerServer, startTrial, type TrialRequest } from './partner-api.ts'

interface Activating {
  readonly store: Pick<Seal, 'seal'>
  readonly server: PartnerServer
  readonly machine: Pick<Host['machine'], 'text' | 'names'>
  readonly licence: { readonly file: Pick<Licence['file'], 'current'> }
  readonly version: string
}

/** The trial as it is stored. */
export interface Activated {
  readonly sealed_token: string
  readonly socket_url: string
  readonly expires_at: string
  readonly is_blocked: number
  readonly blocked_message: string
  readonly reused: boolean
}

/** Makes the kind of step that gets the trial of this host from the partner. */
export const activateStep = (on: Activating): StepKind<null, null, Activated> =>
  finalStep<null, null, Activated>({
    name: 'aipartner.activate',
    plan: () => ({
      title: 'Activate the trial at the AI partner',
      details: ['It is told the name of this host and a digest of its licence'],
    }),
    why: 'a trial is activated once',
    act: async (_args, { signal }) => {
      const trial = await startTrial(on.server, await requestOf(on), signal)
      const { token, socket_url, expires_at, reused = false, blocked = false, blocked_message = '' } = trial
      return {
        sealed_token: on.store.seal(token),
        socket_url,
        expires_at,
        is_blocked: Number(blocked),
        blocked_message: blocked ? blocked_message.slice(0, 4000) : '',
        reused,
      }
    },
    isDone: async () => undefined, // the partner answers the next activation with the same trial
  })

async function requestOf({ machine, licence, version }: Activating): Promise<TrialRequest> {
  const [hostname = 'localhost'] = await machine.names()
  const key = licence.file.current()?.key ?? (await machine.text('/etc/machine-id')).trim()
  return {
    // a digest: the key itself grants the licence
    licence_id: createHash('sha256').update(`hostreeve-partner:${key}`).digest('hex'),
    hostname,
    system_prompt: `You assist the people who administer ${hostname}, a Linux host with the control panel Hostreeve ${version}. You cannot change the host: say which page of the panel or which command does what they ask for.`,
  }
}
