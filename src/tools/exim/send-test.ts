import type { StepKind } from '../../core/change.ts'
import { poll } from '../../core/poll.ts'
import { finalStep } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { logPath } from './layout.ts'
import { findFate, wasReceived } from './main-log.ts'
import { TestFailed } from './problems.ts'

interface TestArgs {
  readonly to: string
  /** Of the message, without angle brackets: it finds the message in the log. */
  readonly messageId: string
}

export interface TestResult {
  readonly outcome: 'delivered' | 'queued'
  /** The line of Exim's log, or that the other mail server does not answer. */
  readonly message: string
}

type TestHost = Pick<Host, 'run' | 'files'>

const tailBytes = 256 * 1024
const limits = { timeoutMs: 60_000, maxBytes: 64 * 1024 }

/** The step that hands a message to Exim as other programs do, and waits for its first attempt to deliver it. */
export function sendTest(host: TestHost, firstAttemptMs: number): StepKind<TestArgs, null, TestResult> {
  return finalStep({
    name: 'exim.send-test',
    plan: ({ to }: TestArgs) => ({ title: `Send a test message to ${to}` }),
    why: 'a message that was sent cannot be taken back',
    act: async (args, { signal }) => {
      const { code, stdout, stderr } = await host.run(['sendmail', '-odb', '-i', '--', args.to], {
        ...limits,
        input: textOf(args),
      })
      if (code === 127) throw TestFailed('sendmail is not installed')
      if (code !== 0) throw TestFailed(`sendmail: ${(stderr.trim() || stdout.trim()).slice(0, 1000)}`)
      const polling = { limitMs: firstAttemptMs, everyMs: 100, signal }
      const fate = await poll(async () => findFate(await readLog(host), args.messageId), polling)
      if (fate === undefined) return { outcome: 'queued', message: silence(firstAttemptMs) }
      if (fate.outcome === 'delivered') return { outcome: 'delivered', message: fate.message }
      const still = fate.outcome === 'deferred' ? '. The message is in the queue, and is sent again' : ''
      throw TestFailed(`${fate.message}${still}`)
    },
    isDone: async ({ messageId }) => wasReceived(await readLog(host), messageId),
  })
}

/** Exim itself waits for minutes before it logs anything. */
const silence = (ms: number): string =>
  `The message is in the queue: the other mail server did not answer within ${ms / 1000} seconds. A relay on port 465 that was set outside the panel has to be saved here, so that Exim begins with TLS`

/** Exim adds the date, and the sender of its account. */
const textOf = ({ to, messageId }: TestArgs): string => `To: ${to}
Subject: Test message of Hostreeve
Message-ID: <${messageId}>

This message was sent to test how the mail of this host is delivered.
`

async function readLog({ run, files }: TestHost): Promise<string> {
  const argv = ['tail', `--bytes=${tailBytes}`, '--', files.real(logPath)] as const
  return (await run(argv, { timeoutMs: 10_000, maxBytes: tailBytes })).stdout
}
