import type { Log } from '../../../core/endpoint.ts'
import type { Machine } from '../../../host/machine.ts'
import type { MetricSample } from '../model.ts'
import type { SampleQueries } from '../store.ts'
import { type Counters, counterFiles, parseCounters } from './counters.ts'
import { everySeconds, keptSamples, openHistory } from './history.ts'
import { sampleOf } from './sample.ts'

/** So much of the history is lost at most when the panel is killed; one small transaction each. */
const savedEvery = 6
/** Two readings that follow each other more closely tell no rate. */
const shortestMs = 1000

export interface SamplerClock {
  /** Milliseconds since 1970; may be set. */
  now(): number
  /** Milliseconds of a clock that is never set. */
  elapsed(): number
}

const hostClock: SamplerClock = { now: () => Date.now(), elapsed: () => performance.now() }

interface Sampling {
  readonly machine: Pick<Machine, 'text' | 'localDisks'>
  readonly queries: SampleQueries
  readonly log: Log
}

/** Samples the host and keeps the last hour. */
export interface Sampler {
  /** Reads the host once; the second reading and all later ones add a sample each. */
  sample(): Promise<void>
  /** Returns the samples after a time (Unix seconds), the oldest first. */
  since(ts: number): Promise<readonly MetricSample[]>
  /** Stores the samples that are not stored yet. */
  save(): Promise<void>
  /** Samples every ten seconds until it is stopped. */
  start(): { stop(): Promise<void> }
}

/** Opens the sampler; nothing is read before its first call. */
export function openSampler({ machine, queries, log }: Sampling, clock: SamplerClock = hostClock): Sampler {
  const history = openHistory()
  let loading: Promise<void> | undefined
  let last: Counters | undefined
  let unsaved: readonly MetricSample[] = []
  const readStored = async () => {
    for (const each of await queries.load(seconds(clock))) history.add(each)
  }
  const load = () =>
    (loading ??= readStored().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
  const sample = async () => {
    await load()
    const next = await readCounters(machine, clock)
    if (last !== undefined && next.at - last.at < shortestMs) return
    if (last !== undefined) {
      const taken = sampleOf(last, next, { ts: seconds(clock), disks: await machine.localDisks() })
      history.add(taken)
      unsaved = [...unsaved.filter(({ ts }) => ts < taken.ts), taken].slice(-keptSamples)
    }
    last = next
  }
  const save = async () => {
    const saved = unsaved
    const before = history.since(0).findLast(({ ts }) => ts < (saved[0]?.ts ?? 0))
    await queries.append(saved, before?.ts ?? 0)
    unsaved = unsaved.filter((each) => !saved.includes(each))
  }
  const tick = async () => {
    await sample()
    if (unsaved.length >= savedEvery) await save()
  }
  return {
    sample,
    save,
    since: async (ts) => load().then(() => history.since(ts)),
    start: () => repeat({ tick, save, log }),
  }
}

/** A reading that hangs delays the next one. A failure is logged once, until a reading succeeds. */
function repeat({ tick, save, log }: Pick<Sampler, 'save'> & { tick(): Promise<void>; readonly log: Log }) {
  let hasFailed = false
  let running: Promise<void> | undefined
  const failed = (error: unknown) => {
    if (!hasFailed) log.error({ err: error }, 'sampling the host failed')
    hasFailed = true
  }
  const next = () => {
    running ??= tick()
      .then(() => void (hasFailed = false), failed)
      .finally(() => (running = undefined))
  }
  next()
  const timer = setInterval(next, everySeconds * 1000).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
      await save().catch(failed)
    },
  }
}

async function readCounters({ text }: Pick<Machine, 'text'>, clock: SamplerClock): Promise<Counters> {
  const texts = await Promise.all(counterFiles.map((name) => text(`/proc/${name}`)))
  return parseCounters(texts, clock.elapsed())
}

const seconds = ({ now }: SamplerClock): number => Math.floor(now() / 1000)
