import type { FastifyRequest } from 'fastify'
import { type DescribedChange, describeChange } from '../../changes/plan.ts'
import type { Change } from '../../core/change.ts'
import { BadRequest, PlanStale } from '../../core/problem.ts'

/** Returns the digest of the only plan that a request may carry out; undefined if it names none. */
export function expectedPlan({ headers }: FastifyRequest): string | undefined {
  const digest = headers['x-plan-digest']
  if (digest === undefined) return undefined
  if (typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest))
    throw BadRequest('X-Plan-Digest: must be the digest of a plan, 64 hexadecimal digits in lower case')
  return digest
}

/** Throws if a plan is not the one that was expected. */
export function assertSamePlan(expected: string, { digest }: DescribedChange): void {
  if (digest !== expected) throw PlanStale()
}

/** The identifiers that the rows of a change would get now: plans of the same change name the same ones. */
export function foreseenIds(peek: (table: string) => number): (table: string) => number {
  const given = new Map<string, number>()
  return (table) => {
    const count = given.get(table) ?? 0
    given.set(table, count + 1)
    return peek(table) + count
  }
}

/**
 * A decision that is given the same identifiers each time that it is made again, in the order of the first one. Locks that are named
 * for a new row could otherwise be others at each decision.
 */
export function withSameIds<Value>(
  next: (table: string) => number,
  decide: (id: (table: string) => number) => Promise<Value>,
): () => Promise<Value> {
  const given = new Map<string, number[]>()
  return () => {
    const taken = new Map<string, number>()
    return decide((table) => {
      const ids = given.get(table) ?? []
      const at = taken.get(table) ?? 0
      const id = ids[at] ?? next(table)
      if (at === ids.length) given.set(table, [...ids, id])
      taken.set(table, at + 1)
      return id
    })
  }
}

/** A decision that is refused unless its plan is the one that the request names. */
export function asPlanned(request: FastifyRequest, decide: () => Promise<Change>): () => Promise<Change> {
  const expected = expectedPlan(request)
  if (expected === undefined) return decide
  return async () => {
    const change = await decide()
    assertSamePlan(expected, await describeChange(change))
    return change
  }
}
