export { licence } from './area.ts'
export type { Licence } from './context.ts'
export { activateLicence, licenceInForce, websiteLimit } from './licence.ts'
export { Activated, LicenceKey, LicenceSummary } from './model.ts'
export {
  ActivationFailed,
  KeyMissing,
  LicenceLimit,
  LicenceNotStored,
  LicenceServerFailed,
  LicenceUnreadable,
} from './problems.ts'
export { summaryOf } from './state.ts'
