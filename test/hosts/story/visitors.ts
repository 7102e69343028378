import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Host } from '../harness/index.ts'

/** Of the visitors of a website, in the whole. */
const perSecond = 50
const unit = 'visitors'
const results = '/srv/visitors.json'

/** What the visitors saw. */
interface Visited {
  readonly sent: number
  /** Answers with the status 200 and the expected text. */
  readonly right: number
  /** Answers from the page cache. */
  readonly kept: number
  /** The first fifty other answers, and the errors of requests without one. */
  readonly failures: readonly string[]
}

/** Sends fifty visitors a second to the front page of a website, from within its host, where they expect this text. */
export async function sendVisitors(host: Host, domain: string, expected: string): Promise<void> {
  const program = [
    '/opt/hostreeve/node_modules/.bin/node',
    '/opt/hostreeve/test/hosts/story/visitors.main.ts',
  ]
  const told = [domain, expected, String(perSecond), results]
  await host.must(['systemd-run', `--unit=${unit}`, '--collect', ...program, ...told])
}

/** Ends the visits; returns what the visitors saw. */
export async function recallVisitors(host: Host): Promise<Visited> {
  await host.must(['systemctl', 'stop', unit], { timeoutMs: 300_000 })
  return JSON.parse(await readFile(join(host.rootPath, results), 'utf8'))
}
