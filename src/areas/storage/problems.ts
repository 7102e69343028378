import { problem } from '../../core/problem.ts'

export const NoLvm = problem('no_lvm', 400, 'This host does not use LVM')
export const NoVolume = problem('no_lv', 400, 'There is no such logical volume')
export const SizeInvalid = problem('bad_request', 400, 'The volume cannot have this size')
