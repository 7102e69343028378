import { problem } from '../../core/problem.ts'

export const DriftGone = problem('not_found', 404, 'There is no such difference')
export const NotRevertible = problem('not_revertible', 409, 'The panel cannot make this as it was')
export const NotAdoptable = problem('not_adoptable', 409, 'This cannot become the wanted state')
