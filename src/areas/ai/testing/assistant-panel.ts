import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { openTestPanel, type Person, type TestPanel } from '../../../../test/support/panel.ts'
import { until } from '../../../../test/support/until.ts'
import type { Terminals } from '../../../host/terminal/index.ts'
import { scriptSystemd } from '../../../host/testing/scripted-host.ts'
import type { Script } from '../../../host/testing/scripted-run.ts'
import { openStandInGateway, type StandInGateway } from '../../../tools/openclaw/testing/stand-in-gateway.ts'
import { type ScriptedPrograms, scriptPrograms } from '../../../tools/openclaw/testing/scripted-programs.ts'

const configPath = '/etc/hostreeve-assistant/openclaw.json'
const environmentPath = '/etc/hostreeve-assistant/environment'

/** A panel with a stand-in for the gateway of the assistant, and somebody who may use it. */
export interface AssistantPanel {
  readonly panel: TestPanel
  readonly gateway: StandInGateway
  readonly programs: ScriptedPrograms
  readonly service: { isActive: boolean; isEnabled: boolean }
  readonly accounts: Map<string, { uid: number; home?: string }>
  readonly keeper: Person
  /** Answered before all other scripts. */
  failing: Script
  ask(method: string, path: string, body?: unknown): Promise<any>
  /** The status and code of an answer, and its message. */
  failureOf(method: string, path: string, body?: unknown): Promise<readonly [number, string, string]>
  /** Sets the assistant up, and returns the job. */
  setUp(draft?: object): Promise<any>
  followJob(jobId: number): Promise<any>
  config(): any
  environment(): string
  write(path: string, text: string): void
  close(): Promise<void>
}

/** Opens it; nothing is set up. */
export async function openAssistantPanel(
  options: { readonly terminals?: Terminals } = {},
): Promise<AssistantPanel> {
  const gateway = await openStandInGateway()
  const programs = scriptPrograms()
  const service = { isActive: false, isEnabled: false }
  const accounts = new Map<string, { uid: number; home?: string }>()
  const services = new Map([
    ['hostreeve-assistant', service],
    ['nginx', { isActive: true, isEnabled: true }],
  ])
  let failing: Script = () => undefined
  const scripts: Script[] = [
    (...asked) => failing(...asked),
    (...asked) => programs.script(...asked),
    (argv) => {
      if (argv[0] === 'userdel' && argv.includes('--remove'))
        rmSync(`${panel.root}/home/${argv.at(-1)}`, { recursive: true, force: true })
      return undefined
    },
    scriptSystemd(services),
  ]
  const panel: TestPanel = await openTestPanel({
    scripts,
    accounts,
    hasNginx: true,
    openclaw: { port: gateway.port },
    ...options,
  })
  for (const folder of ['etc/systemd/system', 'usr/local/lib', 'usr/bin'])
    mkdirSync(`${panel.root}/${folder}`, { recursive: true })
  writeFileSync(`${panel.root}/usr/bin/npm`, '')
  const keeper = await panel.person({ permissions: ['administrative_operations'] })
  await panel.start()
  const ask = (method: string, path: string, body?: unknown) =>
    panel.request(method, `/api/ai${path}`, { as: keeper, ...(body !== undefined && { body }) })
  const jobOf = async (id: number) =>
    (await panel.request('GET', `/api/jobs/${id}`, { as: panel.admin })).data
  const followJob = (id: number) =>
    until(async () => {
      const job = await jobOf(id)
      return job.finished_at === null ? undefined : job
    })
  const read = (path: string) => readFileSync(`${panel.root}${path}`, 'utf8')
  const on: AssistantPanel = {
    panel,
    gateway,
    programs,
    service,
    accounts,
    keeper,
    get failing() {
      return failing
    },
    set failing(script) {
      failing = script
    },
    ask,
    failureOf: async (method, path, body) => {
      const { status, error } = await ask(method, path, body)
      return [status, error?.code, String(error?.message)]
    },
    setUp: async (draft = {}) => {
      const { status, data, text } = await ask('POST', '/setup', { ...usual, ...draft })
      if (status !== 202) throw new Error(text)
      const job = await followJob(data.job_id)
      if (job.state === 'succeeded') gateway.token = on.config().gateway.auth.token
      return job
    },
    followJob,
    config: () => JSON.parse(read(configPath)),
    environment: () => read(environmentPath),
    write: (path, text) => writeFileSync(`${panel.root}${path}`, text),
    close: async () => {
      await panel.close()
      await gateway.close()
    },
  }
  return on
}

const usual = {
  provider: 'custom',
  model: 'm1',
  api_key: 'sk-stand-in-0123456789',
  base_url: 'http://127.0.0.1:9/v1',
}
