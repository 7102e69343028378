import { type Change, change, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import type { Licence } from './context.ts'
import type { LicenceDocument } from './document.ts'
import type { Activated, PanelLicence } from './model.ts'
import { KeyMissing } from './problems.ts'
import { isInForce, summaryOf } from './state.ts'

const licenceLock = singleLock('licence')

/** Returns the licence, whether it is in force, and what it grants. */
export function readLicence(on: Licence, now: Date): PanelLicence {
  const { file, canActivate } = on
  const document = file.current()
  return {
    license: document === undefined ? null : { ...summaryOf(document, now), host: document.host },
    features: document?.features ?? {},
    in_force: isInForce(document, now),
    max_websites: websiteLimit(on, now)?.most ?? null,
    can_activate: canActivate,
  }
}

/** Returns the licence in use if it is in force. */
export function licenceInForce({ file }: Licence, now: Date): LicenceDocument | undefined {
  const document = file.current()
  return isInForce(document, now) ? document : undefined
}

/** How many websites can be created, and who says so. */
export interface WebsiteLimit {
  readonly most: number
  readonly source: 'licence' | 'configuration'
}

/** Returns the lower limit of the licence in force and the configuration; undefined if neither sets one. */
export function websiteLimit(on: Licence, now: Date): WebsiteLimit | undefined {
  const licensed = licenceInForce(on, now)?.max_websites ?? null
  const { configuredWebsites: configured } = on
  if (configured !== null && (licensed === null || configured < licensed))
    return { most: configured, source: 'configuration' }
  return licensed === null ? undefined : { most: licensed, source: 'licence' }
}

/** Activates the licence of a key; it replaces a stored one. */
export function activateLicence<Reply>(
  { activate }: Licence,
  key: string | undefined,
  reply: (activated: Activated) => Reply,
): Change<Reply> {
  const trimmed = key?.trim() ?? ''
  if (trimmed === '') throw KeyMissing('license_key: is required')
  return change({
    summary: 'Activate the licence of this host',
    locks: [licenceLock],
    steps: [step(activate, { key: trimmed })],
    reply: ({ results: [activated] }) => reply(activated),
  })
}
