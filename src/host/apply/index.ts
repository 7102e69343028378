import { KeyedMutex } from '../../core/keyed-mutex.ts'
import type { Files } from '../files.ts'
import type { Applied, ApplyOptions, FileEdit, OwnedTool } from './tool.ts'
import type { Request } from './request.ts'
import { settleRequests } from './settle.ts'

/** Activates an edit of a tool's files, or throws with everything unchanged. Waiting edits share one reload. */
export type Apply = (tool: OwnedTool, edits: readonly FileEdit[], options?: ApplyOptions) => Promise<Applied>

/** Reconciles files and the running program after a crash: removes leftovers, and loads a generation that is not served. */
export type Reconcile = (tool: OwnedTool) => Promise<Applied>

/** Opens the only way to change configuration files. Each tool has one lock, in this process; its edited files share it. */
export function openApply(
  files: Files,
  locks = new KeyedMutex<string>(),
): { readonly apply: Apply; readonly reconcile: Reconcile } {
  const queues = new Map<string, Queue>()
  const queueOf = (tool: OwnedTool) => {
    const present = queues.get(tool.name)
    if (present !== undefined) return present
    const queue = openQueue(files, tool, locks)
    queues.set(tool.name, queue)
    return queue
  }
  return {
    apply: (tool, edits, options = {}) => queueOf(tool).add({ edits, options }),
    reconcile: (tool) => queueOf(tool).add({ edits: [], options: {}, cleansFirst: true }),
  }
}

interface Queue {
  add(request: Omit<Request, 'resolve' | 'reject'>): Promise<Applied>
}

/** Requests that arrive while a batch runs wait for the next one, which takes all of them. */
function openQueue(files: Files, tool: OwnedTool, locks: KeyedMutex<string>): Queue {
  let waiting: Request[] = []
  let isRunning = false
  const settleWaiting = async () => {
    await new Promise((resolve) => setImmediate(resolve)) // lets requests of the same tick join
    const batch = waiting
    waiting = []
    const answers: (() => void)[] = []
    const answerLater = ({ resolve, reject, ...request }: Request): Request => ({
      ...request,
      resolve: (applied) => answers.push(() => resolve(applied)),
      reject: (error) => answers.push(() => reject(error)),
    })
    await settleRequests(files, tool, batch.map(answerLater))
    for (const answer of answers) answer() // not before the candidates are removed; the first answer of a request counts
  }
  const drain = async () => {
    isRunning = true
    while (waiting.length > 0) await locks.run(tool.name, settleWaiting)
    isRunning = false
  }
  return {
    add: (request) => {
      const { promise, resolve, reject } = Promise.withResolvers<Applied>()
      waiting.push({ ...request, resolve, reject })
      if (!isRunning) void drain()
      return promise
    },
  }
}
