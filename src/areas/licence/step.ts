import type { StepKind } from '../../core/change.ts'
import type { LicenceDocument } from './document.ts'
import type { LicenceFile } from './file.ts'
import type { Activated } from './model.ts'
import { ActivationFailed } from './problems.ts'
import { isInForce, summaryOf } from './state.ts'

interface Activating {
  readonly file: LicenceFile
  /** Returns the signed licence of a key. */
  readonly ask: (key: string, signal: AbortSignal) => Promise<string>
  readonly now: () => Date
}

interface Before {
  /** Null if no licence was stored. */
  readonly text: string | null
}

/** Makes the kind of step that gets the licence of a key, checks and stores it. */
export function activateStep({ file, ask, now }: Activating): StepKind<{ key: string }, Before, Activated> {
  const stored = async () => (await file.read()) ?? null
  return {
    name: 'licence.activate',
    plan: () => ({
      title: 'Get the licence from the licence server and store it',
      details: ['Its features are available at once'],
    }),
    observe: async () => ({ text: await stored() }),
    act: async ({ key }, { signal }) => {
      const text = await ask(key, signal)
      const document = await file.checked(text)
      if (summaryOf(document, now()).status === 'expired')
        throw ActivationFailed(`the licence expired at ${document.expires_at}`)
      signal.throwIfAborted()
      await file.write(text)
      return activated(document, now())
    },
    undo: async (_args, { text }) => {
      if ((await stored()) !== text) await file.write(text ?? undefined)
    },
    check: async (_args, before) => ((await stored()) === before.text ? 'before' : 'wanted'),
    again: async (_args, before) => {
      const text = await stored()
      return text === null || text === before.text ? undefined : activated(await file.checked(text), now())
    },
  }
}

const activated = (document: LicenceDocument, now: Date): Activated => ({
  success: isInForce(document, now),
  features: document.features,
  tier: document.tier,
  status: summaryOf(document, now).status,
})
