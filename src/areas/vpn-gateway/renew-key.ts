import Type from 'typebox'
import { change, step } from '../../core/change.ts'
import { work } from './context.ts'
import { meshLock } from './locks.ts'

const renewBeforeMs = 30 * 86_400_000

/** True if the panel needs a new API key. */
export const needsKey = (stored: { readonly expires_at: string } | undefined, now: Date): boolean =>
  stored === undefined || Date.parse(stored.expires_at) - now.getTime() < renewBeforeMs

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
    const isDue = stored !== undefined && needsKey(stored, now)
    return change({
      summary: 'Renew the API key of the control server',
      locks: [meshLock],
      steps: isDue ? [step(server.steps.makePanelKey, null)] : [],
      isRecorded: () => isDue,
      reply: {},
    })
  },
})
