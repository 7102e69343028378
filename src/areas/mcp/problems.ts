import { problem } from '../../core/problem.ts'

export const CertificateUnreadable = problem(
  'read_failed',
  500,
  'The certificate of the panel cannot be read',
)
export const CertificateNotMade = problem(
  'regenerate_failed',
  500,
  'A certificate for the key of the panel cannot be made',
)

/** Somebody decided before. */
export const PlanDecided = problem('conflict', 409, 'The plan was decided on before')
/** The plan would not be the same any more. */
export const PlanOutdated = problem(
  'conflict',
  409,
  'What this plan is about was changed meanwhile: let the agent ask again',
)
export const PlanExpired = problem(
  'plan_expired',
  409,
  'The plan was not approved within 24 hours: let the agent ask again',
)
export const KeyEnded = problem('key_ended', 409, 'The key of the agent has ended, or its owner is suspended')
