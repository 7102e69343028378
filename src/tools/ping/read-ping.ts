import type { RunResult } from '../../host/run.ts'

/** One reply to an echo request. */
export interface PingReply {
  readonly seq: number
  readonly from: string
  readonly ttl: number
  readonly time_ms: number
}

/** The outcome of some echo requests; times are in milliseconds, 0 without a reply. */
export interface PingResult {
  /** False if the program is missing or could not send. */
  readonly hasRun: boolean
  readonly replies: readonly PingReply[]
  readonly transmitted: number
  readonly received: number
  readonly lossPercent: number
  readonly minMs: number
  readonly avgMs: number
  readonly maxMs: number
  /** Its output, and its error message if there is one. */
  readonly output: string
}

const reply = /^\d+ bytes from ([0-9a-fA-F.:%\w]+): icmp_seq=(\d+) ttl=(\d+) time=([\d.]+) ms/
const summary = /^(\d+) packets transmitted, (\d+) received,.* ([\d.]+)% packet loss/m
const times = /^rtt min\/avg\/max\/mdev = ([\d.]+)\/([\d.]+)\/([\d.]+)\//m

/** Reads what ping of iputils printed in the C locale. */
export function readPing({ stdout, stderr }: Pick<RunResult, 'stdout' | 'stderr'>): PingResult {
  const replies = stdout.split('\n').flatMap((line): PingReply[] => {
    const [, from, seq, ttl, ms] = reply.exec(line) ?? []
    return from === undefined ? [] : [{ seq: Number(seq), from, ttl: Number(ttl), time_ms: Number(ms) }]
  })
  const [, transmitted, received, loss] = summary.exec(stdout) ?? []
  const [, min, avg, max] = times.exec(stdout) ?? []
  return {
    hasRun: transmitted !== undefined,
    replies,
    transmitted: Number(transmitted ?? 0),
    received: Number(received ?? 0),
    lossPercent: Number(loss ?? 100),
    minMs: Number(min ?? 0),
    avgMs: Number(avg ?? 0),
    maxMs: Number(max ?? 0),
    output: [stdout, stderr].filter((each) => each !== '').join('\n'),
  }
}
