import { problem } from '../../core/problem.ts'

export const ManifestInvalid = problem('bad_request', 400, 'The manifest is not valid')
export const ManifestTooLarge = problem('too_large', 413, 'The manifest is too large')
export const ConfirmationRequired = problem(
  'confirmation_required',
  409,
  'The manifest deletes something: look at its plan and confirm it',
)
export const PlanChanged = problem(
  'plan_changed',
  409,
  'The manifest would do something else than it was planned to: look at a new plan',
)
