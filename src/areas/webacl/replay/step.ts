import type { StepKind, StepRun } from '../../../core/change.ts'
import { encodedRules, type Nginx, readLoggedRequest } from '../../../tools/nginx/index.ts'
import { rulesFor } from '../compiled.ts'
import type { ConfigFiles } from '../config/files.ts'
import type { StoredRuleset } from '../config/model.ts'
import { countriesIn, type CountrySource } from '../countries.ts'
import { type Resolved, resolved } from '../resolved.ts'
import { RulesetNotFound } from '../problems.ts'
import { assertExpressions } from '../expressions.ts'
import { type Replay, replayLimits } from './model.ts'
import { ReplayReport } from './report.ts'

/** The logs that are replayed, and through which ruleset. */
export interface ReplayArgs {
  readonly owner: number
  readonly rulesetId: string
  readonly sites: readonly {
    readonly id: number
    readonly domain: string
    /** Null if the log does not tell which of several host names a request had. */
    readonly host: string | null
  }[]
  /** Of all logs together. */
  readonly lines: number
}

interface Parts {
  readonly nginx: Pick<Nginx, 'openRecentLog' | 'replayAccess'>
  readonly configs: Pick<ConfigFiles, 'read' | 'readLibrary'>
  readonly countries: Pick<CountrySource, 'rangesOf'>
}

/** Makes the kind of step that runs logs through a ruleset. It changes nothing on the host. */
export function replayStep(on: Parts): StepKind<ReplayArgs, null, { replay: Replay }> {
  return {
    name: 'webacl.replay',
    plan: ({ sites, lines }) => ({
      title: `Evaluate the last ${lines} lines of the access logs of ${sites.length === 1 ? sites[0]?.domain : `${sites.length} websites`}`,
    }),
    observe: async () => null,
    act: async (args, run) => ({ replay: await new Replaying(on, args, run).run() }),
    undo: async () => {},
    check: async () => 'wanted', // nothing is left to do or to take back
    notUndone: 'a replay changes nothing',
  }
}

const requestsAtOnce = 4000

type Run = Pick<StepRun<null>, 'signal' | 'progress'>

interface Evaluating {
  readonly report: ReplayReport
  readonly rules: string
  readonly now: Resolved
  readonly until: number
}

interface Amount {
  readonly lines: number
  readonly bytes: number
}

class Replaying {
  readonly #on: Parts
  readonly #args: ReplayArgs
  readonly #run: Run

  constructor(on: Parts, args: ReplayArgs, run: Run) {
    this.#on = on
    this.#args = args
    this.#run = run
  }

  async run(): Promise<Replay> {
    const { owner, rulesetId, sites } = this.#args
    const [config, library] = await Promise.all([
      this.#on.configs.read(owner),
      this.#on.configs.readLibrary(),
    ])
    const now = upTo(resolved(config, library), rulesetId)
    const countries = await this.#on.countries.rangesOf(countriesIn(now))
    const report = new ReplayReport(now.rulesets.at(-1)!)
    const rules = encodedRules(rulesFor(owner, 'replayed', now, countries))
    const evaluating = { report, rules, now, until: Date.now() + replayLimits.ms }
    let left: Amount = { lines: this.#args.lines, bytes: replayLimits.bytes }
    for (const [index, site] of sites.entries()) {
      if (report.cutBy === 'time') break
      this.#run.progress(Math.floor((index * 100) / sites.length), site.domain)
      const used = await this.#replaySite(evaluating, index, {
        lines: Math.ceil(left.lines / (sites.length - index)),
        bytes: Math.ceil(left.bytes / (sites.length - index)),
      })
      left = { lines: left.lines - used.lines, bytes: left.bytes - used.bytes }
    }
    return report.shown()
  }

  /** Returns how much of the log of one website was read. */
  async #replaySite(evaluating: Evaluating, index: number, limits: Amount) {
    const { report, until } = evaluating
    const { sites } = this.#args
    const log = await this.#on.nginx.openRecentLog(sites[index]!.domain, limits)
    const used = { lines: 0, bytes: 0 }
    try {
      report.addWebsite()
      report.cutBy ??= log.cutBy
      for await (const part of log.parts(this.#run.signal)) {
        for (let at = 0; at < part.lines.length; at += requestsAtOnce)
          await this.#evaluate(evaluating, index, part.lines.slice(at, at + requestsAtOnce))
        used.lines += part.lines.length
        used.bytes += part.bytes
        const share = (index + used.bytes / Math.max(1, log.bytes)) / sites.length
        this.#run.progress(Math.floor(share * 100), sites[index]!.domain)
        if (Date.now() < until) continue
        report.cutBy = 'time'
        break
      }
    } finally {
      await log.close()
    }
    return used
  }

  async #evaluate({ report, rules, now }: Evaluating, index: number, lines: readonly string[]) {
    const { id, domain, host } = this.#args.sites[index]!
    const requests = lines.flatMap((line) => readLoggedRequest(line) ?? [])
    report.addUnreadable(lines.length - requests.length)
    if (requests.length === 0) return
    const { verdicts, problems } = await this.#on.nginx.replayAccess(
      { rules, ruleset: this.#args.rulesetId, siteId: id, host: host ?? undefined, requests },
      this.#run.signal,
    )
    assertExpressions({ problems }, now)
    report.add(domain, requests, verdicts)
  }
}

/** The ruleset as the last one, and evaluated even if it is not enabled. */
function upTo({ groups, rulesets }: Resolved, id: string): Resolved {
  const at = rulesets.findIndex((each) => each.id === id)
  const found = rulesets[at]
  if (found === undefined) throw RulesetNotFound(`There is no ruleset ${id}`)
  const last: StoredRuleset = { ...found, enabled: true }
  return { groups, rulesets: [...rulesets.slice(0, at), last] }
}
