import { problem, type Problem } from '../../../core/problem.ts'

export const PlacedInPart = problem('placed_in_part', 500, 'Not everything could be placed')
