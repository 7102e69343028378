import { type LoggedRequest, readVerdict } from '../../../tools/nginx/index.ts'
import type { StoredRuleset } from '../config/model.ts'
import { type Replay, type ReplayExample, replayLimits } from './model.ts'

interface Counted {
  count: number
  readonly examples: ReplayExample[]
}

type Ruleset = Pick<StoredRuleset, 'id' | 'name' | 'action' | 'rules'>

/** Sums what a ruleset makes of logged requests. */
export class ReplayReport {
  cutBy: Replay['cut_by'] = null
  readonly #ruleset: Ruleset
  /** As nginx counts them. */
  readonly #rules: readonly (Counted & { readonly id: string; readonly name: string })[]
  readonly #missing = new Map<string, Counted>()
  #websites = 0
  #counts = { lines: 0, matched: 0, decided_earlier: 0, undecidable: 0, unreadable: 0 }
  /** The time of the last request; the next one is often of the same second. */
  #time = ''
  #from = Infinity
  #to = -Infinity

  constructor(ruleset: Ruleset) {
    this.#ruleset = ruleset
    this.#rules = ruleset.rules
      .filter(({ enabled, conditions }) => enabled && conditions.length > 0)
      .map(({ id, name }) => ({ id, name, count: 0, examples: [] }))
  }

  addWebsite(): void {
    this.#websites++
  }

  addUnreadable(count: number): void {
    this.#counts.unreadable += count
  }

  /** Adds the requests of a website with what nginx found for them. */
  add(domain: string, requests: readonly LoggedRequest[], verdicts: readonly string[]): void {
    for (const [index, request] of requests.entries()) this.#addOne(domain, request, verdicts[index] ?? '')
  }

  #addOne(domain: string, request: LoggedRequest, encoded: string): void {
    this.#counts.lines++
    if (request.time !== this.#time) this.#extend(request)
    if (encoded === '') return
    const verdict = readVerdict(encoded)
    if (verdict.is === 'earlier') this.#counts.decided_earlier++
    if (verdict.is === 'matched') {
      this.#counts.matched++
      for (const index of verdict.rules) count(this.#rules[index], domain, request)
    }
    if (verdict.is === 'unknown') {
      this.#counts.undecidable++
      count(this.#lacking(verdict.lacks), domain, request)
    }
  }

  #extend(request: LoggedRequest): void {
    this.#time = request.time
    const at = timeOf(request)
    if (at === undefined) return
    this.#from = Math.min(this.#from, at)
    this.#to = Math.max(this.#to, at)
  }

  #lacking(field: string): Counted | undefined {
    const known = this.#missing.get(field)
    if (known !== undefined || this.#missing.size >= replayLimits.fields) return known
    const added = { count: 0, examples: [] }
    this.#missing.set(field, added)
    return added
  }

  shown(): Replay {
    const { id, name, action } = this.#ruleset
    const missing = [...this.#missing].map(([field, { count: lines, examples }]) => ({
      field,
      lines,
      examples,
    }))
    return {
      ...{ ruleset_id: id, name, action, websites: this.#websites, ...this.#counts, cut_by: this.cutBy },
      from: this.#from > this.#to ? null : new Date(this.#from).toISOString(),
      to: this.#from > this.#to ? null : new Date(this.#to).toISOString(),
      rules: this.#rules.map((rule) => ({
        rule_id: rule.id,
        name: rule.name,
        matched: rule.count,
        examples: rule.examples,
      })),
      missing: missing.toSorted((one, other) => other.lines - one.lines),
    }
  }
}

function count(counted: Counted | undefined, domain: string, request: LoggedRequest): void {
  if (counted === undefined) return
  counted.count++
  if (counted.examples.length < replayLimits.examples) counted.examples.push(exampleOf(domain, request))
}

/** A query may contain secrets. */
const exampleOf = (domain: string, request: LoggedRequest): ReplayExample => ({
  domain,
  at: momentOf(request),
  address: request.address.slice(0, 45),
  method: request.method.slice(0, 40),
  path: shown(request.path),
  status: request.status,
  user_agent: request.agent === undefined ? null : shown(request.agent),
})

const shown = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8').slice(0, 300)

function momentOf(request: LoggedRequest): string | null {
  const time = timeOf(request)
  return time === undefined ? null : new Date(time).toISOString()
}

/** `24/Nov/2026:04:08:15 +0000` in milliseconds. */
function timeOf({ time }: LoggedRequest): number | undefined {
  const at = Date.parse(time.replace(/^(\d\d)\/([A-Za-z]{3})\/(\d{4}):/, '$1 $2 $3 '))
  return Number.isNaN(at) ? undefined : at
}
