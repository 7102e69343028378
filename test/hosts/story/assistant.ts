import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Host, type Panel, poll, startPanel } from '../harness/index.ts'
import { modelUrl, placeOpenclaw, startStandIns } from './openclaw.ts'
import { type Answer, SignedIn } from './signed-in.ts'

/** The directory of the settings of the assistant, below the root of its host. */
export const settingsFolder = 'etc/hostreeve-assistant'
/** The service of the assistant. */
export const assistantUnit = 'hostreeve-assistant'

/** A panel on a host that has the files of OpenClaw, and stand-ins for a model and a messenger. */
export interface AssistantHost {
  readonly panel: Panel
  readonly admin: SignedIn
  ask(method: string, path: string, body?: unknown): Promise<Answer>
  /** The data of a call below /api/ai that must succeed. */
  must(method: string, path: string, body?: unknown): Promise<any>
  /** Says something in the main conversation, and returns the answer. */
  chat(message: string): Promise<string>
  config(): Promise<any>
  /** Sets the assistant up, as the guide does. */
  setUp(): Promise<void>
}

/** Opens the panel; nothing is set up. */
export async function openAssistant(host: Host): Promise<AssistantHost> {
  await placeOpenclaw(host)
  await startStandIns(host)
  const panel = await startPanel(host)
  const admin = await SignedIn.as(panel)
  const ask = (method: string, path: string, body?: unknown) =>
    admin.ask(method, `/api/ai${path}`, body, { timeoutMs: 420_000 })
  const must = async (method: string, path: string, body?: unknown) => {
    const answer = await ask(method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.code} ${answer.message}`)
    return answer.data
  }
  return {
    panel,
    admin,
    ask,
    must,
    chat: async (message) => (await must('POST', '/chat', { message })).reply,
    config: async () =>
      JSON.parse(await readFile(join(host.rootPath, settingsFolder, 'openclaw.json'), 'utf8')),
    setUp: async () => {
      const draft = { provider: 'custom', model: 'm1', api_key: 'sk-stand-in', base_url: modelUrl }
      const { job_id: id } = await must('POST', '/setup', draft)
      const job = await poll('the assistant to be set up', 420_000, async () => {
        const found = await admin.must('GET', `/api/jobs/${id}`)
        return found.finished_at === null ? undefined : found
      })
      const log = await host.exec(['journalctl', '--no-pager', '--lines=40', '--unit', assistantUnit])
      assert.equal(job.state, 'succeeded', `${job.message}\n${log.stdout}`)
    },
  }
}
