import Type from 'typebox'
import { change, step } from '../../core/change.ts'
import { work } from './context.ts'
import { meshLock } from './locks.ts'

const renewBeforeMs = 30 * 86_400_000

/** Makes a new API key for the panel thirty days before the former one ends; the panel would be locked out then. */
export const renewing = work({
  kind: 'vpn-gateway.renew-key',
  input: Type.Object({}),
  reply: Type.Object({}),
  timeoutMs: 120_000,
  attempts: 1,
  resumes: true,
  decide: async ({ now, vpn: { server } }) => {
    const stored = await server.readStoredKey()
    const isDue = stored !== undefined && Date.parse(stored.expires_at) - now.getTime() < renewBeforeMs
    return change({
      summary: 'Renew the API key of the control server',
      locks: [meshLock],
      steps: isDue ? [step(server.steps.makePanelKey, null)] : [],
      isRecorded: () => isDue,
      reply: {},
    })
  },
})
