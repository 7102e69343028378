import { setTimeout as sleep } from 'node:timers/promises'
import type { Person, TestPanel } from '../../support/panel.ts'

/** What a bench asks of the backups of a website. */
export interface Asking {
  /** Makes a set of files alone. */
  addSet(set: string): Promise<void>
  /** Makes a backup and returns its name. */
  backUp(set: string): Promise<string>
  /** Restores a backup into a new folder. */
  inspect(name: string): Promise<void>
  /** Returns the name of the newest backup. */
  list(): Promise<string>
  scan(): Promise<void>
}

const pollMs = 5

/** Asks as the owner of a website, and for the scan as a superuser. */
export function askingOf(panel: TestPanel, id: number, owner: Person): Asking {
  const path = `/api/websites/${id}/backups`
  const must = async (method: string, url: string, as: Person | string, body?: object) => {
    const answer = await panel.request(method, url, { as, ...(body && { body }) })
    if (answer.status >= 300) throw new Error(`${method} ${url} answered ${answer.status}: ${answer.text}`)
    return answer
  }
  const ended = async (jobId: number): Promise<void> => {
    for (;;) {
      const { data } = await must('GET', `/api/jobs/${jobId}`, owner)
      if (data.state === 'succeeded') return
      if (!['queued', 'running'].includes(data.state)) throw new Error(JSON.stringify(data))
      await sleep(pollMs)
    }
  }
  return {
    addSet: async (set) => void (await must('POST', `${path}/sets`, owner, { name: set, databases: false })),
    backUp: async (set) => {
      const { text } = await must('POST', path, owner, { set })
      const name = /"type":"done","name":"([^"]+)"/.exec(text)?.[1]
      if (name === undefined) throw new Error(text)
      return name
    },
    inspect: async (name) => {
      const body = { restore_files: true, for_inspection: true }
      const { data } = await must('POST', `${path}/${name}/restore`, owner, body)
      await ended(data.job_id)
    },
    list: async () => (await must('GET', path, owner)).data.items[0].name,
    scan: async () => void (await must('GET', '/api/settings/backup/webapp-scan', panel.admin)),
  }
}
