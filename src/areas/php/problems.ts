import { problem } from '../../core/problem.ts'

export const VersionUnknown = problem('bad_request', 400, 'The version of PHP does not exist here')
export const SettingInvalid = problem('bad_request', 400, 'The directive or its value is not possible')
export const VersionInUse = problem('conflict', 409, 'Websites use this version of PHP')
export const PackagesBusy = problem(
  'already_running',
  409,
  'PHP is being installed or removed; wait for that job to end',
)
