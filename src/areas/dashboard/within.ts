import { problem } from '../../core/problem.ts'

const TooSlow = problem('too_slow', 503, 'There was no answer in time')

/** Returns what the reading brings, or fails if it takes longer than the limit. */
export async function within<Value>(reading: Promise<Value>, limitMs = 5000): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(TooSlow(`There was no answer within ${limitMs / 1000} s`)), limitMs)
  return Promise.race([reading, late]).finally(() => clearTimeout(timer))
}
