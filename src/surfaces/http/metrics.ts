import { answers } from './requests.ts'

interface Measured {
  readonly contentType: string
  metrics(): Promise<string>
}

let measured: Promise<Measured> | undefined

/** The panel's own measurements in the text format of Prometheus, and its content type. */
export async function readMetrics(): Promise<{ readonly type: string; readonly text: string }> {
  const ofProcess = await (measured ??= measureProcess())
  return { type: ofProcess.contentType, text: `${textOfAnswers()}\n${await ofProcess.metrics()}` }
}

/** The process is measured from the first scrape on: where nobody scrapes, that memory is not spent. */
async function measureProcess(): Promise<Measured> {
  const { Registry, collectDefaultMetrics } = await import('prom-client')
  const register = new Registry()
  collectDefaultMetrics({ register })
  return register
}

function textOfAnswers(): string {
  const requests = 'hostreeve_http_requests_total'
  const seconds = 'hostreeve_http_request_seconds'
  let below = 0
  return [
    `# HELP ${requests} Requests answered`,
    `# TYPE ${requests} counter`,
    ...[...answers.counts.values()].map(
      ({ method, status, count }) => `${requests}{method="${method}",status="${status}"} ${count}`,
    ),
    `# HELP ${seconds} Time to answer`,
    `# TYPE ${seconds} histogram`,
    ...answers.times.map(({ bound, count }) => `${seconds}_bucket{le="${bound}"} ${(below += count)}`),
    `${seconds}_bucket{le="+Inf"} ${answers.total}`,
    `${seconds}_sum ${answers.seconds}`,
    `${seconds}_count ${answers.total}`,
    '',
  ].join('\n')
}
