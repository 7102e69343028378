import { problem } from '../../core/problem.ts'
import { Unavailable } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import type { Followed } from '../../host/follow.ts'
import { detectOneOf } from '../../host/owner/index.ts'
import { withRawSockets } from '../network-account.ts'
import { tool } from '../tool.ts'

export { rawSocketOwner } from '../network-account.ts'
export { type Packet, readPacket } from './read-packet.ts'

export const FilterInvalid = problem('bad_request', 400, 'The filter is invalid')
export const CaptureRefused = problem('start_error', 500, 'tcpdump could not be started')
export const OutputUnreadable = problem('pipe_error', 500, 'The output of tcpdump cannot be read')

/** What is captured. */
export interface CaptureAsked {
  readonly interface: string
  /** A packet-filter expression (pcap-filter(7)); empty for all packets. */
  readonly filter: string
  readonly count: number
  /** A file of the account that tcpdump runs as (`rawSocketOwner`), which receives the packets in the format of pcap. */
  readonly file: string
  readonly signal: AbortSignal
}

type FilterAsked = Omit<CaptureAsked, 'count' | 'file'>

/** A capture ends by itself after so many seconds, also if the panel was killed: timeout(1) ends it. */
export const captureSeconds = 60
const maxLineBytes = 2048

/** tcpdump, which prints the packets of an interface. */
export const tcpdump = tool({
  name: 'tcpdump',
  title: 'tcpdump',
  packages: ['tcpdump'],
  isOptional: true,
  detect: async () => detectOneOf(['/usr/bin/tcpdump', '/usr/sbin/tcpdump'], 'packet captures need it'),
  verbs: ({ host }) => ({
    /** Compiles the filter for the interface; throws if tcpdump refuses either. */
    checkFilter: (asked: FilterAsked) => checkFilter(host, asked),
    /** Captures packets without promiscuous mode: into a file, and as lines, of which each is a packet. */
    capture: (asked: CaptureAsked): Followed => {
      const { interface: name, count, file, filter, signal } = asked
      const shown = ['-i', name, '-n', '-l', '-tttt', '-p', '-s', '256']
      const options = [...shown, '-U', '--print', '-w', file, '-c', String(count)]
      const [program, ...args] = withRawSockets(['tcpdump', ...options, '--', ...wordOf(filter)])
      return host.follow(['timeout', '--kill-after=2', String(captureSeconds), program, ...args], {
        timeoutMs: (captureSeconds + 10) * 1000,
        maxLines: count,
        maxLineBytes,
        signal,
      })
    },
  }),
})

/** The filter is one argument after `--`: no word of it becomes an option. */
const wordOf = (filter: string): readonly string[] => (filter === '' ? [] : [filter])

async function checkFilter({ run }: Host, { interface: name, filter, signal }: FilterAsked) {
  const compile = (expression: readonly string[]) =>
    run(withRawSockets(['tcpdump', '-d', '-n', '-i', name, '--', ...expression]), {
      timeoutMs: 10_000,
      maxBytes: 64 * 1024,
      signal,
    })
  const opened = await compile([])
  if (opened.code === 127) throw Unavailable('tcpdump is not installed: install it under Software')
  if (opened.code === 126) throw OutputUnreadable(opened.stderr.trim().slice(0, 500))
  if (opened.code !== 0) throw CaptureRefused(opened.stderr.trim().slice(0, 500))
  if (filter === '') return
  const compiled = await compile(wordOf(filter))
  if (compiled.code !== 0) throw FilterInvalid(`filter: ${compiled.stderr.trim().slice(0, 500)}`)
}
